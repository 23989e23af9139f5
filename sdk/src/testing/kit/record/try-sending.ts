import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { writtenKey } from '../../../declarative/actions/action-texts.ts';
import type { AnyConnectorCode } from '../../../server.ts';
import { TICKET_VALUES } from '../../../tickets/ticket-template.ts';
import type { Calls } from '../../fixtures.ts';
import { KEY } from '../service/operations.ts';
import type { AskedOperation } from './ask-service.ts';
import type { RawExchange } from './recording-gate.ts';

/** What is sent to try a document, in words that nobody takes for a finding. */
// no text: sent to the service
const MESSAGE = { title: 'Test by Breakwater', text: 'This is a test of a connector. Nothing needs to be done.' };

/** What the document sends, with a text of ours. */
export const callsOf = ({ notify, tickets }: AnyConnectorCode, config: Readonly<Record<string, unknown>>): Calls => ({
  ...(notify === undefined ? {} : { notify: MESSAGE }),
  ...(tickets === undefined
    ? {}
    : { tickets: { write: { createTicket: { draft: { ...tickets.draft(config, TICKET_VALUES) } } } } }),
});

/** A key of its own for each test: what a test before it has made is none of its. */
export interface SendingKey {
  /** The code with this key in place of the kit's. */
  used(code: AnyConnectorCode): AnyConnectorCode;
  /** What was asked and answered, with the kit's key in place of this one. */
  recorded(exchange: RawExchange): RawExchange;
}

export async function createSendingKey(): Promise<SendingKey> {
  const idempotencyKey = `live-test:${randomUUID()}`;
  const [own, ofKit] = [await writtenKey(idempotencyKey), await writtenKey(KEY)];
  const replaced = (text: string): string => text.replaceAll(own, ofKit);
  return {
    used: ({ notify, tickets, ...code }) => ({
      ...code,
      ...(notify && { notify: { send: (ctx, message) => notify.send(ctx, { ...message, idempotencyKey }) } }),
      ...(tickets && {
        tickets: {
          ...tickets,
          createTicket: (ctx, ticket) => tickets.createTicket(ctx, { ...ticket, idempotencyKey }),
        },
      }),
    }),
    recorded: ({ answer, ...request }) => ({
      ...request,
      url: new URL(replaced(request.url.href)),
      body: replaced(request.body),
      answer: { ...answer, bytes: new TextEncoder().encode(replaced(new TextDecoder().decode(answer.bytes))) },
    }),
  };
}

const CREATE = 'tickets.createTicket';

const Made = Type.Object({ ticket: Type.Object({ id: Type.String() }) });

/** Id of the ticket that was made; undefined where there is none. */
export const madeTicket = ({ operation, value }: AskedOperation): string | undefined =>
  operation.name === CREATE && Value.Check(Made, value) ? value.ticket.id : undefined;

/** Why the second attempt of one key was none; empty where it found what the first has made. */
export function repetitionFault(first: AskedOperation, again: AskedOperation): string {
  if (again.failure !== undefined) return again.failure;
  if (madeTicket(first) === madeTicket(again) && again.exchanges.every(({ method }) => method === 'GET')) return '';
  // no text: of the kit, as its other sentences
  return 'The same key was tried twice, and "find" did not find the ticket that the first attempt made: a second one was made.';
}
