import type { AnyConnector } from '../../../connector.ts';
import type { AnyConnectorCode } from '../../../server.ts';
import type { Calls } from '../../fixtures.ts';
import { CommandError } from '../commands/command-error.ts';
import type { Operation } from '../service/operations.ts';
import { openSubject } from '../service/subject.ts';
import { type AskedOperation, askService, isReading, type ServiceParts } from './ask-service.ts';
import type { TriedOperation } from './tried-operation.ts';
import { createSendingKey, madeTicket, repetitionFault } from './try-sending.ts';

/** One operation with the service. */
type Run = (operation: Operation) => Promise<AskedOperation | { readonly failed: string }>;

export const createRun =
  (parts: ServiceParts): Run =>
  async (operation) => {
    try {
      const [one] = await askService([operation], parts);
      return one ?? { failed: '' };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return { failed: error.message };
    }
  };

export interface Trial {
  readonly connector: AnyConnector;
  readonly code: AnyConnectorCode;
  readonly calls: Calls;
  readonly sends: boolean;
  readonly run: Run;
  readonly tell: (one: AskedOperation) => TriedOperation;
  readonly watch: (operation: Operation) => Operation;
}

/** All that the document does, until something fails. A ticket is made, asked for once more by the same key, and read. */
export async function tryAll({ connector, code, calls, sends, run, tell, watch }: Trial) {
  const key = await createSendingKey();
  const open = (of: AnyConnectorCode, given: Calls) =>
    openSubject({ connector, code: of, fixture: { calls: given }, folder: '' });
  const asked: AskedOperation[] = [];
  const operations: TriedOperation[] = [];
  const ask = async (operation: Operation, repeated?: string): Promise<AskedOperation | undefined> => {
    const came = await run(watch(operation));
    if ('failed' in came) {
      operations.push({ name: operation.name, isOk: false, message: came.failed, requests: [], answer: null });
      return undefined;
    }
    const one = {
      ...came,
      exchanges: came.exchanges.map(key.recorded),
      ...(repeated === undefined ? {} : { repeated }),
    };
    asked.push(one);
    if (repeated === undefined) operations.push(tell(one));
    return one;
  };
  let made: string | undefined;
  const { operations: all } = await open(key.used(code), calls);
  for (const operation of all.filter((one) => isReading(one) || (sends && one.asksNothing !== true))) {
    const one = await ask(operation);
    if (one?.failure !== undefined || one === undefined) break;
    made = madeTicket(one) ?? made;
    if (madeTicket(one) === undefined) continue;
    const again = await ask(operation, 'the key made it before');
    const fault = again === undefined ? operations.pop()?.message : repetitionFault(one, again);
    if (fault === '') continue;
    operations.push({ name: operation.name, isOk: false, message: fault ?? '', requests: [], answer: null });
    break;
  }
  const isReadable = code.tickets?.tracking !== undefined && operations.every(({ isOk }) => isOk);
  const whole = made !== undefined && isReadable ? { ...calls, tickets: { ...calls.tickets, ticket: made } } : calls;
  const before = await open(code, whole);
  const readTicket = before.operations.find(({ name }) => name === 'tickets.ticket');
  if (readTicket !== undefined) await ask(readTicket);
  const named = (name: string) => before.operations.find((one) => one.name === name);
  // replayed with the kit's key
  const replayable = asked.map((one) => ({ ...one, operation: named(one.operation.name) ?? one.operation }));
  return { asked: replayable, operations, before };
}
