import { describe, expect, it } from 'vitest';
import { type AnyStateMachine, createMachine, transition as nextSnapshot } from 'xstate';
import { getShortestPaths, getSimplePaths } from 'xstate/graph';
import {
  CONNECTION_STATES,
  type ConnectionEvent,
  type ConnectionState,
  canTransition,
  connectionMachine,
  NO_CONNECTION,
  type StoredConnection,
  transition,
} from './connection-machine.ts';
import { CONNECTOR_ERROR_CODES } from './errors.ts';

const RETRY_AT = '2026-11-21T10:00:00.000Z';
const PLAIN_EVENTS = [
  'CONFIGURE',
  'SUBMIT',
  'AUTHORIZE',
  'CALLBACK',
  'DENIED',
  'EXPIRED',
  'OK',
  'CHECK',
  'SYNC',
  'DONE',
  'REAUTHORIZE',
  'EDIT',
  'TIMER',
  'BACKOFF',
  'GIVE_UP',
  'REMOVE',
] as const;
const SWITCH_EVENTS = [
  'DISABLE_BY_ORGANISATION',
  'ENABLE_BY_ORGANISATION',
  'DISABLE_BY_PLATFORM',
  'ENABLE_BY_PLATFORM',
  'CRASHES',
  'RELEASE',
] as const;
const CONNECTION_EVENTS: ConnectionEvent[] = [
  ...PLAIN_EVENTS.map((type) => ({ type })),
  ...CONNECTOR_ERROR_CODES.map((code) => ({ type: 'FAIL', code, message: `no: ${code}`, retryAt: RETRY_AT }) as const),
];
const ALL_EVENTS: ConnectionEvent[] = [...CONNECTION_EVENTS, ...SWITCH_EVENTS.map((type) => ({ type }))];

const nameOf = (event: ConnectionEvent) => (event.type === 'FAIL' ? `FAIL(${event.code})` : event.type);

/**
 * architecture.md §5 and what came to it, written down a second time, state by state. What is not named changes nothing.
 * A question mark: only while nothing is switched off.
 */
const FAILURES = {
  'FAIL(config)': 'draft',
  'FAIL(auth)': 'needsAuth',
  'FAIL(scope)': 'needsAuth',
  'FAIL(rate_limited)': 'paused',
  'FAIL(unreachable)': 'retrying',
  'FAIL(upstream)': 'retrying',
  'FAIL(unsupported)': 'failed',
} as const;
type Target = ConnectionState | `${ConnectionState}?`;
const EXPECTED: Record<ConnectionState, Record<string, Target>> = {
  absent: { CONFIGURE: 'draft' },
  draft: { SUBMIT: 'checking?', AUTHORIZE: 'authorizing?', REMOVE: 'removing' },
  authorizing: { CALLBACK: 'checking?', DENIED: 'draft', EXPIRED: 'draft', REMOVE: 'removing' },
  checking: { OK: 'connected', ...FAILURES, REMOVE: 'removing' },
  connected: { SYNC: 'syncing?', CHECK: 'checking?', EDIT: 'draft', ...FAILURES, REMOVE: 'removing' },
  syncing: { DONE: 'connected', ...FAILURES, REMOVE: 'removing' },
  needsAuth: { REAUTHORIZE: 'authorizing?', EDIT: 'draft', REMOVE: 'removing' },
  paused: { TIMER: 'checking?', EDIT: 'draft', REMOVE: 'removing' },
  retrying: { BACKOFF: 'checking?', CHECK: 'checking?', GIVE_UP: 'failed', EDIT: 'draft', REMOVE: 'removing' },
  failed: { CHECK: 'checking?', EDIT: 'draft', REMOVE: 'removing' },
  removing: { DONE: 'absent' },
};
const SWITCHES = {
  DISABLE_BY_ORGANISATION: { organisation: 'disabled' },
  ENABLE_BY_ORGANISATION: { organisation: 'enabled' },
  DISABLE_BY_PLATFORM: { platform: 'disabled' },
  ENABLE_BY_PLATFORM: { platform: 'enabled' },
  CRASHES: { health: 'quarantined' },
  RELEASE: { health: 'sound' },
} as const;
const REGION_SIZES = { connection: CONNECTION_STATES.length, organisation: 2, platform: 2, health: 2 };
/** Success and removal forget why it failed. */
const FORGETTING = ['OK', 'DONE', 'REMOVE'];

const isOpen = (stored: StoredConnection) =>
  stored.organisation === 'enabled' && stored.platform === 'enabled' && stored.health === 'sound';

function targetOf(stored: StoredConnection, event: ConnectionEvent): ConnectionState | undefined {
  const target = EXPECTED[stored.connection][nameOf(event)];
  if (target?.endsWith('?') && !isOpen(stored)) return undefined;
  return CONNECTION_STATES.find((state) => state === target?.replace('?', ''));
}

/** What the tables make of a connection: state and facts. */
function expectedAfter(stored: StoredConnection, event: ConnectionEvent): StoredConnection {
  const switched = Object.entries(SWITCHES).find(([name]) => name === event.type)?.[1];
  if (switched) return { ...stored, ...switched };
  const target = targetOf(stored, event);
  if (target === undefined) return stored;
  if (event.type === 'FAIL') {
    return {
      ...stored,
      connection: target,
      failure: { code: event.code, message: event.message },
      retryAt: target === 'paused' || target === 'retrying' ? (event.retryAt ?? null) : null,
      attempts: target === 'retrying' ? stored.attempts + 1 : 0,
    };
  }
  const isForgotten = FORGETTING.includes(event.type) && stored.connection !== 'removing';
  const facts = isForgotten ? { failure: null, attempts: 0 } : {};
  return { ...stored, connection: target, ...facts, retryAt: null };
}

const bySwitchesAndState = (snapshot: { value: unknown }) => JSON.stringify(snapshot.value);

/** One event of a machine that may be a mutant, from and to stored connections. */
function step(machine: AnyStateMachine, stored: StoredConnection, event: ConnectionEvent): StoredConnection {
  const { failure, retryAt, attempts, ...value } = stored;
  const [next] = nextSnapshot(machine, machine.resolveState({ value, context: { failure, retryAt, attempts } }), event);
  return { ...next.value, ...next.context };
}

/** A way round after CONFIGURE, so that the path goes on with a failure to forget. */
const FAILED_BEFORE = CONNECTION_EVENTS.filter((event) => nameOf(event) === 'FAIL(unreachable)').flatMap(
  (failed): ConnectionEvent[] => [{ type: 'SUBMIT' }, failed, { type: 'EDIT' }],
);

/**
 * The shortest path to every state of all regions together that a machine reaches, straight and with a failure before, each gone
 * on by every event: where it leaves the tables.
 */
function* pathIssues(machine: AnyStateMachine): Generator<string> {
  const paths = getShortestPaths(machine, { events: ALL_EVENTS, serializeState: bySwitchesAndState });
  const all = Object.values(REGION_SIZES).reduce((product, size) => product * size, 1);
  if (paths.length !== all) yield `${paths.length} states are reached instead of ${all}`;
  for (const path of paths) {
    const events = path.steps.map((one) => one.event).filter(isOurs);
    yield* walk(machine, events);
    yield* walk(
      machine,
      events.flatMap((event) => (event.type === 'CONFIGURE' ? [event, ...FAILED_BEFORE] : [event])),
    );
  }
}

function* walk(machine: AnyStateMachine, events: readonly ConnectionEvent[]): Generator<string> {
  let expected = NO_CONNECTION;
  const issue = (stored: StoredConnection, end: string) =>
    `${events.map(nameOf).join(' ')} ${end}: ${JSON.stringify(stored)} instead of ${JSON.stringify(expected)}`;
  let stored = NO_CONNECTION;
  for (const event of events) {
    stored = step(machine, stored, event);
    expected = expectedAfter(expected, event);
  }
  if (!same(stored, expected)) yield issue(stored, '');
  const reached = expected;
  for (const last of ALL_EVENTS) {
    expected = expectedAfter(reached, last);
    const next = step(machine, stored, last);
    if (!same(next, expected)) yield issue(next, nameOf(last));
  }
}

const firstIssue = (machine: AnyStateMachine): string | undefined => pathIssues(machine).next().value ?? undefined;

function isOurs(event: { type: string }): event is ConnectionEvent {
  return ALL_EVENTS.some((known) => known.type === event.type);
}

const sorted = (stored: StoredConnection) => JSON.stringify(Object.entries(stored).sort());
const same = (left: StoredConnection, right: StoredConnection) => sorted(left) === sorted(right);

/** Ways through the table that visit no state twice, each end counted: what the graph of the machine must have too. */
function countSimplePaths(state: ConnectionState, before: ReadonlySet<ConnectionState>): number {
  const visited = new Set([...before, state]);
  const next = Object.values(EXPECTED[state])
    .map((target) => CONNECTION_STATES.find((known) => known === target.replace('?', '')))
    .filter((target) => target !== undefined)
    .filter((target) => !visited.has(target));
  return next.reduce((sum, target) => sum + countSimplePaths(target, visited), 1);
}

describe('paths of the connection statechart', () => {
  it('reach every state of the four regions together, and keep to the tables with every event from there', () => {
    expect([...pathIssues(connectionMachine)]).toEqual([]);
  });

  it('keep to the table on every way that visits no state twice, and each can end by removal', () => {
    const paths = getSimplePaths(connectionMachine, { events: CONNECTION_EVENTS, serializeState: bySwitchesAndState });
    expect(paths).toHaveLength(countSimplePaths('absent', new Set()));
    for (const path of paths) {
      let stored = NO_CONNECTION;
      for (const event of path.steps.map((one) => one.event).filter(isOurs)) {
        const expected = expectedAfter(stored, event);
        stored = transition(stored, event);
        expect(stored).toEqual(expected);
      }
      expect(stored.connection).toBe(path.state.value.connection);
      expect(transition(transition(stored, { type: 'REMOVE' }), { type: 'DONE' })).toEqual(NO_CONNECTION);
    }
  });

  it('are what the host and the card ask before: an event applies exactly where a path goes on', () => {
    for (const path of getShortestPaths(connectionMachine, {
      events: ALL_EVENTS,
      serializeState: bySwitchesAndState,
    })) {
      const stored: StoredConnection = { ...path.state.value, ...path.state.context };
      for (const event of CONNECTION_EVENTS) {
        expect(canTransition(stored, event), `${stored.connection} ${nameOf(event)}`).toBe(
          targetOf(stored, event) !== undefined,
        );
      }
    }
  });
});

type Config = Record<string, unknown>;
interface Place {
  region: string;
  state: string;
  event: string;
  index: number;
}

/** Every transition of the machine's configuration. */
const PLACES: Place[] = Object.entries(connectionMachine.config.states ?? {}).flatMap(([region, { states = {} }]) =>
  Object.entries(states).flatMap(([state, { on = {} }]) =>
    Object.entries(on).flatMap(([event, target]) =>
      [target].flat().map((_, index) => ({ region, state, event, index })),
    ),
  ),
);

function mutant(change: (config: Config) => void): AnyStateMachine {
  const config = structuredClone(connectionMachine.config) as Config;
  change(config);
  return createMachine(config as never).provide(connectionMachine.implementations as never);
}

const isRecord = (value: unknown): value is Config => typeof value === 'object' && value !== null;

function stateNode(config: Config, { region, state }: Place): Config {
  const regions = config['states'] as Record<string, { states: Record<string, Config> }>;
  return regions[region]!.states[state]!;
}

/** Replaces one transition; undefined takes it out. */
function replace(config: Config, place: Place, by: (old: unknown) => unknown): void {
  const on = stateNode(config, place)['on'] as Config;
  const list = [on[place.event]].flat();
  const changed = by(list[place.index]);
  list.splice(place.index, 1, ...(changed === undefined ? [] : [changed]));
  if (list.length === 0) delete on[place.event];
  else on[place.event] = list;
}

const nameOfPlace = ({ region, state, event, index }: Place) => `${region}.${state} ${event}[${index}]`;
const transitionAt = (place: Place) => {
  let found: unknown;
  mutant((config) => replace(config, place, (old) => (found = old)));
  return found;
};
const carries = (place: Place, what: string) => {
  const found = transitionAt(place);
  return isRecord(found) && what in found;
};
const without = (what: string) => (old: unknown) =>
  isRecord(old) ? Object.fromEntries(Object.entries(old).filter(([name]) => name !== what)) : old;
const mutants = (places: Place[], by: (old: unknown) => unknown) =>
  places.map((place) => ({
    name: nameOfPlace(place),
    machine: mutant((config) => replace(config, place, by)),
  }));

describe('the check of the paths', () => {
  it('knows every transition of the machine', () => {
    const inConnection = Object.values(EXPECTED).reduce((sum, events) => sum + Object.keys(events).length, 0);
    expect(PLACES).toHaveLength(inConnection + Object.keys(SWITCHES).length);
  });

  it('passes a machine that was only copied', () => {
    expect(firstIssue(mutant(() => undefined))).toBeUndefined();
  });

  it.each(mutants(PLACES, () => undefined))('notices that $name is gone', ({ machine }) => {
    expect(firstIssue(machine)).toBeTypeOf('string');
  });

  const guarded = PLACES.filter((place) => carries(place, 'guard') && place.event !== 'FAIL');
  it.each(mutants(guarded, without('guard')))('notices that $name asks no switch', ({ machine }) => {
    expect(firstIssue(machine)).toBeTypeOf('string');
  });

  // Connected and syncing are entered only by what forgets: there is nothing left to forget when they are left well.
  const nothingToForget = [
    'connection.connected REMOVE[0]',
    'connection.syncing DONE[0]',
    'connection.syncing REMOVE[0]',
  ];
  const acting = PLACES.filter((place) => carries(place, 'actions') && !nothingToForget.includes(nameOfPlace(place)));
  it.each(mutants(acting, without('actions')))('notices that $name keeps the wrong facts', ({ machine }) => {
    expect(firstIssue(machine)).toBeTypeOf('string');
  });

  it.each(['paused', 'retrying'])('notices that %s forgets no timer when it is left', (state) => {
    const machine = mutant((config) => {
      delete stateNode(config, { region: 'connection', state, event: '', index: 0 })['exit'];
    });
    expect(firstIssue(machine)).toBeTypeOf('string');
  });
});
