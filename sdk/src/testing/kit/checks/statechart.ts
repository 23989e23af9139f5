import {
  type ConnectionEvent,
  type ConnectionState,
  canTransition,
  NO_CONNECTION,
  type StoredConnection,
  transition,
} from '../../../connection-machine.ts';
import type { Json } from '../../../context.ts';
import { CONNECTOR_ERROR_CODES, type ConnectorErrorCode } from '../../../errors.ts';
import { condense, type KitCheck, type KitIssue } from '../check.ts';
import type { Operation } from '../service/operations.ts';
import { type PlayOptions, play } from '../service/play.ts';
import { describeOutcome, eventAfter, type Recorded } from '../service/recorded.ts';
import type { ServiceFault } from '../service/service-fault.ts';
import type { Subject } from '../service/subject.ts';

const HOST_EVENTS = ['CONFIGURE', 'SUBMIT', 'EDIT', 'TIMER', 'BACKOFF', 'GIVE_UP', 'REMOVE', 'CHECK'] as const;
const OAUTH_EVENTS = ['AUTHORIZE', 'CALLBACK', 'DENIED', 'EXPIRED', 'REAUTHORIZE'] as const;

/** What the service does so that the connector fails with a code, where the fixture records no case of its own. */
const CAUSES: Record<ConnectorErrorCode, ServiceFault> = {
  auth: 'status 401',
  scope: 'status 403',
  config: 'status 404',
  rate_limited: 'status 429',
  unreachable: 'reset connection',
  upstream: 'status 500',
  unsupported: 'status 501',
};
/** Codes that a connector may give to another answer than these. */
const OPEN_CODES: readonly ConnectorErrorCode[] = ['config', 'unsupported'];

/** One thing that may happen next, and how it is made to happen. */
interface Step {
  readonly name: string;
  /** What ought to happen. */
  readonly event: ConnectionEvent;
  /** Set where the connector decides: what is run, and how the service behaves. */
  readonly run?: { readonly operation: Operation; readonly options: PlayOptions };
  /** True where the connector may decide otherwise. */
  readonly isOpen?: boolean;
}

interface Walk {
  readonly subject: Subject;
  readonly recorded: readonly Recorded[];
  readonly issues: KitIssue[];
  readonly notTaken: Set<string>;
  paths: number;
}

interface Position {
  readonly stored: StoredConnection;
  readonly remembered: ReadonlyMap<string, Json>;
  readonly visited: ReadonlySet<ConnectionState>;
  readonly trail: readonly string[];
}

/**
 * Every path of the statechart that visits no state twice, each gone one step further, driven through the connector: checks and syncs
 * really run, and what they come to is the event.
 */
export async function checkStatechart(subject: Subject, recorded: readonly Recorded[]): Promise<KitCheck> {
  const walk: Walk = { subject, recorded, issues: [], notTaken: new Set(), paths: 0 };
  await follow(walk, { stored: NO_CONNECTION, remembered: new Map(), visited: new Set(['absent']), trail: [] });
  return {
    tier: 'silver',
    name: 'statechart',
    tried: walk.paths,
    issues: condense(walk.issues),
    notes: [...walk.notTaken],
  };
}

async function follow(walk: Walk, position: Position): Promise<void> {
  await Promise.all(stepsFrom(walk, position.stored).map((step) => go(walk, position, step)));
}

async function go(walk: Walk, position: Position, step: Step): Promise<void> {
  walk.paths += 1;
  const expected = transition(position.stored, step.event).connection;
  const { stored, remembered, words } = await take(walk.subject, position, step);
  const trail = [...position.trail, step.name];
  const name = step.run?.operation.name ?? step.name;
  if (stored.connection !== expected && step.isOpen) {
    walk.notTaken.add(`${step.name} was not driven: ${name} has no case of "wrong" that leads there`);
  } else if (stored.connection !== expected) {
    walk.issues.push({
      what: `${name} ${words}: the connection is ${stored.connection} instead of ${expected}`,
      where: trail.join(' → '),
      fix: 'Let errors of ctx.http pass, and throw ConnectorError with the code that says what is wrong.',
    });
  } else if (!position.visited.has(expected)) {
    await follow(walk, { stored, remembered, visited: new Set([...position.visited, expected]), trail });
  }
}

async function take(
  subject: Subject,
  { stored, remembered }: Position,
  { event, run }: Step,
): Promise<{ stored: StoredConnection; remembered: ReadonlyMap<string, Json>; words: string }> {
  if (!run) return { stored: transition(stored, event), remembered, words: '' };
  const played = await play(subject, run.operation, { ...run.options, remembered });
  const happened = eventAfter(run.operation, played, stored);
  return {
    stored: happened === null ? stored : transition(stored, happened),
    remembered: played.remembered,
    words: describeOutcome(played),
  };
}

/** Everything that may happen to the connection now, as far as this connector can take it. */
function stepsFrom(walk: Walk, stored: StoredConnection): Step[] {
  const isOAuth = walk.subject.connector.auth.type === 'oauth2';
  const byHost: ConnectionEvent[] = [...HOST_EVENTS, ...(isOAuth ? OAUTH_EVENTS : [])].map((type) => ({ type }));
  if (stored.connection === 'removing') byHost.push({ type: 'DONE' });
  if (operation(walk.subject, 'syncing')) byHost.push({ type: 'SYNC' });
  return [
    ...byHost.filter((event) => canTransition(stored, event)).map((event) => ({ name: event.type, event })),
    ...workSteps(walk, stored),
  ];
}

/** What runs in a state: check while checking, sync while syncing, anything else while connected. */
function operation({ operations }: Subject, state: ConnectionState): Operation | undefined {
  if (state === 'checking') return operations.find(({ name }) => name === 'check');
  if (state === 'syncing') return operations.find(({ name }) => name === 'findings.sync');
  if (state !== 'connected') return undefined;
  return operations.find(({ name }) => name !== 'check' && name !== 'findings.sync');
}

function workSteps(walk: Walk, stored: StoredConnection): Step[] {
  const runs = operation(walk.subject, stored.connection);
  if (!runs) return [];
  const success = stored.connection === 'checking' ? 'OK' : 'DONE';
  const steps: Step[] =
    stored.connection === 'connected'
      ? []
      : [{ name: success, event: { type: success }, run: { operation: runs, options: {} } }];
  for (const code of CONNECTOR_ERROR_CODES) {
    const step = failStep(walk, runs, code);
    if (step) steps.push(step);
  }
  return steps;
}

/** How the operation is made to fail with a code: by a recorded case, else by what the service does. */
function failStep({ subject, recorded }: Walk, operation: Operation, code: ConnectorErrorCode): Step | undefined {
  const named = { name: `FAIL(${code})`, event: { type: 'FAIL', code, message: '' } } as const;
  const wrong = subject.fixture.wrong?.find((one) => one.code === code && (one.during ?? 'check') === operation.name);
  if (wrong) return { ...named, run: { operation, options: { exchanges: wrong.exchanges } } };
  const at = recorded.find((one) => one.operation.name === operation.name)?.used[0];
  if (at === undefined) return undefined;
  const run = { operation, options: { fault: { kind: CAUSES[code], at } } };
  return { ...named, run, isOpen: OPEN_CODES.includes(code) };
}
