import type { Ctx } from '../../context.ts';
import type { CredentialSchema } from '../../credentials.ts';
import { ConnectorError } from '../../errors.ts';
import { SEVERITIES } from '../../findings/finding.ts';
import { addressText, escapeText, shortened } from '../../text/escape-text.ts';
import type { Ticket, TicketDraft, Tickets, TicketTracking, TicketValues } from '../../tickets/tickets.ts';
import { type MappedRecord, type Mapper, MappingError } from '../document.ts';
import { answering, mappedRecords } from '../map-finding.ts';
import { valueAt } from '../records.ts';
import { fillText, type TemplateScope } from '../templates.ts';
import { act, actOnce, FIRST_FAILURE, type Means } from './act.ts';
import { draftScope, severityWord, writtenKey } from './action-texts.ts';
import type { TicketAnswer, TicketDocument } from './actions.ts';

type AnyCtx = Ctx<CredentialSchema>;

/** Makes tickets once a key and follows them, as `actions.ticket` of the document says. */
export function createTickets(document: TicketDocument, mapper: Mapper): Tickets {
  const { read } = document;
  const meansOf = ({ http, config }: AnyCtx): Means => ({ http, config, mapper });
  return {
    draft: (config, values) => draftOf(document, config, values),
    createTicket: async (ctx, { draft, idempotencyKey }) => {
      const means = meansOf(ctx);
      const scope = { ...draftScope(document, draft), idempotencyKey: await writtenKey(idempotencyKey) };
      const known = await findTicket(document, means, scope);
      return { isTaken: true, ticket: known ?? (await makeTicket(document, means, scope)) };
    },
    ...(read === undefined ? {} : { tracking: trackingOf(document, read, meansOf) }),
  };
}

/** What people see before a ticket is sent: not escaped. */
function draftOf(document: TicketDocument, config: TemplateScope, values: TicketValues): TicketDraft {
  const severity = SEVERITIES.find((one) => one === values['finding.severity']) ?? null;
  const scope = { ...config, ...values, 'finding.severity': severityWord(document, severity) };
  const { draft, maxLength = {} } = document;
  return Object.fromEntries(
    Object.entries(draft).map(([field, template]) => {
      const text = fillText(template, scope);
      const most = maxLength[field];
      return [field, most === undefined ? text : shortened(text, most)];
    }),
  );
}

/** The ticket that the key made before. Of several, the first. */
async function findTicket(document: TicketDocument, means: Means, scope: TemplateScope): Promise<Ticket | undefined> {
  const { find } = document;
  const part = 'actions.ticket.find';
  const { status, body } = await act(means, { part, request: find.request, scope, method: 'GET' });
  if (status >= FIRST_FAILURE) return undefined;
  const bindings = { config: { ...means.config }, key: scope['idempotencyKey'] };
  const [found] = await answering(part, async () => {
    const there = valueAt(body, find.records);
    const list: readonly unknown[] = Array.isArray(there) ? there : there === null ? [] : [there];
    const items = list.map((input) => ({ input }));
    return mappedRecords({ items, bindings, map: { ...document.map }, where: find.where }, means.mapper);
  });
  return found === undefined ? undefined : ticketOf(found);
}

async function makeTicket(document: TicketDocument, means: Means, scope: TemplateScope): Promise<Ticket> {
  const part = 'actions.ticket.create';
  const body = await actOnce(means, { ...document.create, part, scope });
  return readTicket(document, means, { part, body, at: document.create.at });
}

interface OneTicket {
  readonly part: string;
  readonly body: unknown;
  readonly at: string | undefined;
}

async function readTicket({ map }: TicketDocument, means: Means, { part, body, at }: OneTicket): Promise<Ticket> {
  const bindings = { config: { ...means.config } };
  const [ticket] = await answering(part, async () => {
    const input = valueAt(body, at);
    // no text: said inside of another sentence
    if (typeof input !== 'object' || input === null) throw new MappingError('It holds no ticket.');
    return mappedRecords({ items: [{ input }], bindings, map: { ...map }, where: undefined }, means.mapper);
  });
  return ticketOf(ticket ?? {});
}

const unexpected = (why: string): ConnectorError =>
  new ConnectorError('upstream', `The service answered in an unexpected way. A ticket: ${why}.`, {
    help: 'Does the connector know this version of the service?',
  });

function ticketOf({ id, key = id, url, status, isDone }: MappedRecord): Ticket {
  const text = (value: unknown, name: string): string => {
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value);
    throw unexpected(`"${name}" is missing`);
  };
  const address = addressText('plain', text(url, 'url'));
  if (address === '') throw unexpected('"url" is no address of the web');
  return {
    id: text(id, 'id'),
    key: text(key, 'key'),
    url: address,
    status: text(status, 'status'),
    isDone: isDone === true,
  };
}

function trackingOf(document: TicketDocument, read: TicketAnswer, meansOf: (ctx: AnyCtx) => Means): TicketTracking {
  const { close } = document;
  const readOne = async (ctx: AnyCtx, id: string): Promise<Ticket | null> => {
    const part = 'actions.ticket.read';
    const means = meansOf(ctx);
    const { status, body } = await act(means, { ...read, part, scope: { 'ticket.id': id }, method: 'GET' });
    return status >= FIRST_FAILURE ? null : readTicket(document, means, { part, body, at: read.at });
  };
  if (close === undefined) return { ticket: readOne };
  return {
    ticket: readOne,
    transition: async (ctx, { ticket: id, comment }) => {
      const before = await readOne(ctx, id);
      if (before?.isDone === true) return before;
      const scope = { 'ticket.id': id, comment: escapeText(document.text, comment) };
      await actOnce(meansOf(ctx), { ...close, part: 'actions.ticket.close', scope });
      const after = await readOne(ctx, id);
      if (after?.isDone !== true)
        throw new ConnectorError('config', 'The service was asked to close the ticket, and it is not closed.');
      return after;
    },
  };
}
