import { type ConnectionState, NO_CONNECTION, type StoredConnection, transition } from '../../../connection-machine.ts';
import type { Exchange } from '../../fixtures.ts';
import { condense, type KitCheck, type KitIssue } from '../check.ts';
import type { Operation } from '../service/operations.ts';
import { NOW, type Played, play } from '../service/play.ts';
import { describeOutcome, eventAfter, type Recorded } from '../service/recorded.ts';
import { RETRY_AFTER_SECONDS, SERVICE_FAULTS } from '../service/service-fault.ts';
import type { Subject } from '../service/subject.ts';

type MatrixFault = (typeof SERVICE_FAULTS)[number];

/** What a connection comes to, by what its service does. Source: architecture.md §5 and §6. */
const ENDS: Record<MatrixFault, readonly ConnectionState[]> = {
  'status 401': ['needsAuth'],
  'status 403': ['needsAuth'],
  'status 429': ['paused'],
  'status 500': ['retrying'],
  'no answer': ['retrying'],
  'slow body': ['retrying'],
  'reset connection': ['retrying'],
  'truncated body': ['retrying'],
  'cut connection': ['retrying'],
  'page instead of data': ['retrying'],
  'another document': ['retrying'],
  'a bare text': ['retrying'],
  'a bare number': ['retrying'],
  'an empty document': ['retrying', 'connected'],
  'more than 10 MB': ['retrying', 'failed'],
  'redirect to a private address': ['retrying', 'draft', 'failed'],
  'redirect to the metadata service': ['retrying', 'draft', 'failed'],
  'secrets echoed with 401': ['needsAuth'],
  'secrets echoed with 500': ['retrying'],
};

/** Faults in what an answer says: they mean nothing where nothing is read. */
const ABOUT_CONTENT: readonly MatrixFault[] = [
  'truncated body',
  'page instead of data',
  'another document',
  'a bare text',
  'a bare number',
  'an empty document',
];
/** Where nothing is read, it does not matter how much of it there is either. */
const NEEDS_CONTENT: readonly MatrixFault[] = [...ABOUT_CONTENT, 'more than 10 MB'];
/** These take their time; the operation gets less of it than in earnest. */
const ENDLESS: readonly MatrixFault[] = ['no answer', 'slow body'];
const ENDLESS_TIMEOUT_MS = 400;

interface Situation {
  readonly operation: Operation;
  readonly kind: MatrixFault;
  readonly at: Exchange;
}

/** A run of the fault matrix, kept because every output of it is searched for secrets. */
export interface FaultRun extends Situation {
  readonly played: Played;
}

/** Runs every operation once for each fault in each of its requests. */
export async function playFaults(subject: Subject, recorded: readonly Recorded[]): Promise<FaultRun[]> {
  const situations = recorded.flatMap(({ operation, used }) =>
    used.flatMap((at) =>
      SERVICE_FAULTS.filter((kind) => hasContent(at) || !NEEDS_CONTENT.includes(kind)).map((kind) => ({
        operation,
        kind,
        at,
      })),
    ),
  );
  const runOf = async (situation: Situation): Promise<FaultRun> => {
    const limit = ENDLESS.includes(situation.kind) ? { timeoutMs: ENDLESS_TIMEOUT_MS } : {};
    return { ...situation, played: await play(subject, situation.operation, { fault: situation, ...limit }) };
  };
  const runs = await Promise.all(situations.map(runOf));
  const settled: FaultRun[] = [];
  // a second chance, alone: a busy machine is no fault of the connector
  for (const run of runs) settled.push(isLate(run) ? await runOf(run) : run);
  return settled;
}

/** The service answered at once, and yet the work ran into its deadline. */
function isLate({ kind, played: { outcome } }: FaultRun): boolean {
  const isAnswered = kind.startsWith('status') || kind.startsWith('secrets') || ABOUT_CONTENT.includes(kind);
  return isAnswered && !outcome.ok && !outcome.crashed && outcome.error.code === 'unreachable';
}

function hasContent({ request, answer }: Exchange): boolean {
  const isEmpty = answer.body === undefined && answer.file === undefined && (answer.text ?? '') === '';
  // that something is not there says its status alone
  return !isEmpty && request.method !== 'HEAD' && answer.status !== 404;
}

/** Whether each fault brings the connection where it belongs. */
export function checkFaultMatrix(runs: readonly FaultRun[], recorded: readonly Recorded[]): KitCheck {
  const faults = [...runs.flatMap((run) => faultsOf(run, recorded)), ...runs.flatMap((run) => lossesOf(run, recorded))];
  return { tier: 'silver', name: 'fault matrix', tried: runs.length, issues: condense(faults) };
}

/** A list must not become shorter because an answer was `{}`: what is missing from it would be taken for gone. */
function lossesOf({ operation, kind, at, played }: FaultRun, recorded: readonly Recorded[]): KitIssue[] {
  const whole = recorded.find((one) => one.operation.name === operation.name)?.played.outcome;
  if (kind !== 'an empty document' || !whole?.ok || !played.outcome.ok || Array.isArray(at.answer.body)) return [];
  if (!Array.isArray(whole.value) || !Array.isArray(played.outcome.value)) return [];
  const lost = whole.value.length - played.outcome.value.length;
  if (lost <= 0) return [];
  return [
    {
      what: `${operation.name} loses ${lost} of ${whole.value.length} records because an answer was {}`,
      where: `${operation.name}, ${kind} at ${at.request.method ?? 'GET'} ${at.request.path}`,
      fix: 'Ask for the field that holds the list in readAnswer, without Type.Optional.',
    },
  ];
}

function faultsOf(run: FaultRun, recorded: readonly Recorded[]): KitIssue[] {
  const { operation, kind, at, played } = run;
  const where = `${operation.name}, ${kind} at ${at.request.method ?? 'GET'} ${at.request.path}`;
  if (!played.hasStopped) return [];
  if (!played.outcome.ok && played.outcome.crashed) {
    return [
      {
        what: `${operation.name} ${describeOutcome(played)}`,
        where,
        fix: 'Read answers through readAnswer(schema, answer): it throws the right error when they are not as expected.',
      },
    ];
  }
  const start: StoredConnection = { ...NO_CONNECTION, connection: startOf(operation) };
  const event = eventAfter(operation, played, start);
  const end = event === null ? start : transition(start, event);
  if (kind === 'status 403' && played.outcome.ok && isAnswered(operation)) {
    return unseenIssues(run, recorded, where);
  }
  if (isEmptied(run) && played.seen.some(({ exchange }) => exchange === null)) return [];
  if (!endsOf(run).includes(end.connection)) return [{ ...wrongEnd(run, end.connection), where }];
  if (kind === 'an empty document' && played.outcome.ok) return emptyIdentity(operation, played.outcome.value, where);
  return kind === 'status 429' && !waitsLongEnough(end) ? [{ ...IMPATIENT, where }] : [];
}

/** A file or a stream of words may hold anything; of `check`, something must be understood. */
function endsOf({ operation, kind, at: { answer } }: Situation): readonly ConnectionState[] {
  // what stands in the way of a write is config: a list where a file is to be written may be a folder
  if (operation.isWrite && kind === 'another document') return [...ENDS[kind], 'draft'];
  const isOpaque = answer.body === undefined && operation.name !== 'check' && ABOUT_CONTENT.includes(kind);
  return isOpaque ? [...ENDS[kind], 'connected'] : ENDS[kind];
}

/** Nothing is on the list: what is asked for then, nobody recorded, and how that ends says nothing. */
const isEmptied = ({ kind, at }: FaultRun): boolean => kind === 'an empty document' && Array.isArray(at.answer.body);

/** Of settings, what may not be seen is an answer: `unknown`. */
const isAnswered = ({ name }: Operation): boolean => name === 'scm.posture';

/** Something is unknown that is known without the fault, or for another reason, unless what was asked for could not be seen before. */
function unseenIssues({ operation, at, played }: FaultRun, recorded: readonly Recorded[], where: string): KitIssue[] {
  const usual = recorded.find((one) => one.operation.name === operation.name)?.played;
  const isHidden = (at.answer.status ?? 200) >= 400;
  const before = usual === undefined ? [] : unknownOf(usual);
  if (isHidden || unknownOf(played).some((one) => !before.includes(one))) return [];
  return [
    {
      what: `${operation.name} answers as if it had seen what the service refuses to show (403)`,
      where,
      fix: 'Answer { state: "unknown" } for what may not be seen.',
    },
  ];
}

function unknownOf({ outcome }: Pick<Recorded['played'], 'outcome'>): string[] {
  const answers = outcome.ok && Array.isArray(outcome.value) ? outcome.value : [];
  return answers.flatMap((one) => (Reflect.get(Object(one), 'state') === 'unknown' ? [JSON.stringify(one)] : []));
}

const IMPATIENT = {
  what: `asks again before the ${RETRY_AFTER_SECONDS} s of Retry-After are over`,
  fix: 'Let the error of ctx.http pass; if you throw ConnectorError("rate_limited") yourself, give it retryAfterMs.',
};

function startOf({ name }: Operation): ConnectionState {
  if (name === 'check') return 'checking';
  return name === 'findings.sync' ? 'syncing' : 'connected';
}

function wrongEnd(run: FaultRun, end: ConnectionState): Omit<KitIssue, 'where'> {
  const { operation, kind, played } = run;
  const expected = endsOf(run).join(' or ');
  if (played.outcome.ok) {
    const isStatus = !ABOUT_CONTENT.includes(kind);
    return {
      what: `${operation.name} succeeds although the service gave it: ${kind}`,
      fix: isStatus
        ? 'Do not catch what ctx.http throws, or throw it on.'
        : 'Read answers through readAnswer(schema, answer), and ask for the fields that you use.',
    };
  }
  return {
    what: `${operation.name} ${describeOutcome(played)}: the connection is ${end} instead of ${expected}`,
    fix: 'Let errors of ctx.http pass: their codes are right. Throw another one only when the answer itself says so.',
  };
}

function emptyIdentity({ name }: Operation, value: unknown, where: string): KitIssue[] {
  if (name !== 'check') return [];
  const identity: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'identity') : undefined;
  if (typeof identity === 'string' && identity.trim() !== '' && identity !== 'undefined') return [];
  return [
    {
      what: 'check succeeds with an empty answer and names nobody',
      where,
      fix: 'Ask for the field that names the account in readAnswer, with minLength: 1.',
    },
  ];
}

function waitsLongEnough({ retryAt }: StoredConnection): boolean {
  return retryAt !== null && Date.parse(retryAt) - NOW.getTime() >= RETRY_AFTER_SECONDS * 1000;
}
