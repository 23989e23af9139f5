import { isDeepStrictEqual } from 'node:util';
import type { AnyConnector } from '../../../connector.ts';
import type { Json } from '../../../context.ts';
import { createCtx, createMemoryStore, runStep } from '../../../host/index.ts';
import type { ConnectorFixture, Exchange, RecordedRequest } from '../../fixtures.ts';
import { silentLog } from '../../test-connection.ts';
import { CommandError } from '../commands/command-error.ts';
import { type FilledForm, fillForm } from '../service/canary.ts';
import { exactRequest } from '../service/exact-request.ts';
import type { Operation } from '../service/operations.ts';
import { NOW } from '../service/play.ts';
import { withFields } from '../service/with-fields.ts';
import { settled, signatureOf } from '../update-fixtures.ts';
import { createReplayGate, type Replayed } from './replay-gate.ts';
import { rootsOf, type ScrubbedExchange } from './scrubbed-exchange.ts';

/** What one operation asked, secrets scrubbed. */
export interface ScrubbedOperation {
  readonly operation: Operation;
  readonly exchanges: readonly ScrubbedExchange[];
  /** It did not succeed with the service, and need not now. */
  readonly hasFailed?: boolean;
}

interface ReplayParts {
  readonly connector: AnyConnector;
  readonly credentials: NonNullable<ConnectorFixture['credentials']>;
}

const TIMEOUT_MS = 60_000;
/**
 * Every exchange with its request stated exactly. The requests are those of two replays with random secrets and the kit's clock, never
 * those that were sent to the service: no secret can stand in them, and what differs between the two is `{{any}}`.
 * @throws CommandError where an operation asks otherwise than it was recorded
 */
export async function exactExchanges(
  operations: readonly ScrubbedOperation[],
  parts: ReplayParts,
): Promise<Exchange[]> {
  const all: Exchange[][] = [];
  for (const one of operations) {
    const [first, second] = [await replay(one, parts), await replay(one, parts)];
    all.push(
      one.exchanges.map((exchange) => ({
        request: settledRequest(one.operation, requestOf(exchange, first, parts), requestOf(exchange, second, parts)),
        answer: exchange.answer,
      })),
    );
  }
  return merged(all);
}

interface Run {
  readonly form: FilledForm;
  readonly replayed: readonly Replayed[];
}

async function replay(
  { operation, exchanges, hasFailed = false }: ScrubbedOperation,
  { connector, credentials }: ReplayParts,
): Promise<Run> {
  const form = fillForm(connector, { credentials });
  const { gate, replayed } = createReplayGate(exchanges, rootsOf(connector, form.config));
  const connection = {
    ...{ connector, config: form.config, store: createMemoryStore(), log: silentLog },
    secret: async (field: string) => form.secrets[field],
  };
  const outcome = await runStep((signal) => operation.run(createCtx(gate, connection, { signal, now: () => NOW })), {
    timeoutMs: TIMEOUT_MS,
  });
  if (outcome.ok || hasFailed) return { form, replayed };
  const { message, cause } = outcome.error;
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  throw new CommandError(`Nothing was written: ${operation.name} does not replay: ${message}${reason}`);
}

function requestOf(exchange: ScrubbedExchange, { form, replayed }: Run, { connector }: ReplayParts): Json | undefined {
  const asked = replayed.find((one) => one.exchange === exchange)?.asked;
  if (asked === undefined) return undefined;
  const { method, service, path } = exchange;
  const named: RecordedRequest = {
    ...(method === 'GET' ? {} : { method }),
    path,
    ...(service === undefined ? {} : { service }),
  };
  const exact = exactRequest(named, asked, signatureOf(connector.auth).signature ?? {});
  return withFields(JSON.parse(JSON.stringify(exact)), form);
}

function settledRequest({ name }: Operation, one: Json | undefined, other: Json | undefined): RecordedRequest {
  if (one === undefined) throw new CommandError(`Nothing was written: ${name} does not ask the same each time.`);
  return JSON.parse(JSON.stringify(settled(one, other)));
}

/**
 * Exchanges of several operations as one list. Each operation is played with a service of its own, so a request that several of them ask is
 * written once: with the answers of the one that asks it most often.
 */
function merged(operations: readonly (readonly Exchange[])[]): Exchange[] {
  const byRequest = new Map<string, Exchange[]>();
  for (const exchanges of operations) {
    for (const [key, own] of Map.groupBy(exchanges, ({ request }) => JSON.stringify(request))) {
      const answers = withoutRepeats(own);
      if (answers.length > (byRequest.get(key)?.length ?? 0)) byRequest.set(key, answers);
    }
  }
  return [...byRequest.values()].flat();
}

/** The last answer is given again and again. */
function withoutRepeats(exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.filter(
    ({ answer }, index) =>
      index === 0 || !exchanges.slice(index - 1).every((one) => isDeepStrictEqual(one.answer, answer)),
  );
}
