import type { AnyConnector } from '../../../connector.ts';
import { createSecretMask } from '../../../host/auth/secret-mask.ts';
import { createCtx, createMemoryStore, type EgressGate, runStep } from '../../../host/index.ts';
import { silentLog } from '../../test-connection.ts';
import { CommandError } from '../commands/command-error.ts';
import type { FilledForm } from '../service/canary.ts';
import type { Operation } from '../service/operations.ts';
import { createRecordingGate, type RawExchange, requestKey } from './recording-gate.ts';

/** An operation with everything that it asked the real service. */
export interface AskedOperation {
  readonly operation: Operation;
  readonly exchanges: readonly RawExchange[];
  /** What it answered. */
  readonly value: unknown;
  /** Why it did not succeed, secrets masked; set only where that is allowed. */
  readonly failure?: string;
  /** Set where it was asked once more, and is recorded as a situation of this name in which it is repeated. */
  readonly repeated?: string;
}

/** What may be let loose on a real service: it reads, and costs nothing. */
const READING =
  /^(check|findings\.sync|cloud\.(identity|inventory)|scm\.(user|list\w+|readFile|pullRequest|issue|posture|resolveRef)|remediator\.models|tickets\.\w+|GET .*)$/;

export function isReading({ name, isWrite, asksNothing }: Operation): boolean {
  return !isWrite && !asksNothing && READING.test(name);
}

export interface ServiceParts {
  readonly connector: AnyConnector;
  readonly form: FilledForm;
  readonly gate: EgressGate;
  readonly baseUrlOverride?: URL | undefined;
  /** An operation that the service answered may fail: what it was answered is kept. Default false. */
  readonly mayFail?: boolean;
  /** Of one operation. Default 10 minutes: a sync of a whole account takes its time. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10 * 60_000;
/** Asked again, such an answer did not come again. */
const PASSING = new Set([429, 502, 503, 504]);
/** Answers from here on say nothing about how findings look. */
const REFUSED = 400;
/** Runs operations one after the other in the real runtime. @throws CommandError where one does not succeed, secrets masked */
export async function askService(operations: readonly Operation[], parts: ServiceParts): Promise<AskedOperation[]> {
  const { connector, form, baseUrlOverride, mayFail = false, timeoutMs = TIMEOUT_MS } = parts;
  const asked: AskedOperation[] = [];
  for (const operation of operations) {
    const { gate, exchanges } = createRecordingGate(parts.gate);
    const connection = {
      ...{ connector, config: form.config, store: createMemoryStore(), log: silentLog },
      secret: async (field: string) => form.secrets[field],
      ...(baseUrlOverride === undefined ? {} : { baseUrlOverride }),
    };
    const outcome = await runStep((signal) => operation.run(createCtx(gate, connection, { signal })), {
      timeoutMs,
    });
    const answered = withoutPassing(exchanges());
    if (outcome.ok) {
      asked.push({ operation, exchanges: answered, value: outcome.value });
      continue;
    }
    const error = failed(operation, form, outcome.error);
    const isAnswered = answered.length > 0 && answered.every(({ answer }) => answer.status < REFUSED);
    if (!mayFail && isAnswered)
      throw new CommandError(`${error.message}\n--partial keeps the answers, so that you can correct the mapping.`);
    if (!isAnswered) throw error;
    asked.push({ operation, exchanges: answered, value: undefined, failure: error.message });
  }
  return asked;
}

function failed({ name }: Operation, { secrets }: FilledForm, error: Error): CommandError {
  const mask = createSecretMask();
  for (const secret of Object.values(secrets)) mask.add(secret);
  const { cause } = error;
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new CommandError(`${name} did not succeed: ${mask.text(`${error.message}${reason}`)}`);
}

/** Without what the host asked again. */
function withoutPassing(exchanges: readonly RawExchange[]): RawExchange[] {
  return exchanges.filter(
    (one, index) =>
      !PASSING.has(one.answer.status) ||
      !exchanges.slice(index + 1).some((later) => requestKey(later) === requestKey(one)),
  );
}
