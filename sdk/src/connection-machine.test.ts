import { describe, expect, it } from 'vitest';
import { type AnyStateMachine, createMachine, transition } from 'xstate';
import { getShortestPaths, getSimplePaths } from 'xstate/graph';
import {
  advance,
  CONNECTION_STATES,
  type ConnectionEvent,
  type ConnectionState,
  connectionMachine,
  FAILURE_STATES,
  GATE_STATES,
  type GateState,
  mayAdvance,
  NO_CONNECTION,
  type StoredConnection,
} from './connection-machine.ts';
import { CONNECTOR_ERROR_CODES, type ConnectorErrorCode } from './errors.ts';

const fail = (code: ConnectorErrorCode): ConnectionEvent => ({ type: 'FAIL', code, message: `failed: ${code}` });

const PLAIN_CONNECTION_EVENTS = [
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
const GATE_EVENTS = [
  'DISABLE_BY_ORGANISATION',
  'ENABLE_BY_ORGANISATION',
  'DISABLE_BY_PLATFORM',
  'ENABLE_BY_PLATFORM',
  'CRASHES',
  'RELEASE',
] as const;

const CONNECTION_EVENTS: ConnectionEvent[] = [
  ...PLAIN_CONNECTION_EVENTS.map((type) => ({ type })),
  ...CONNECTOR_ERROR_CODES.map(fail),
];
const ALL_EVENTS: ConnectionEvent[] = [...CONNECTION_EVENTS, ...GATE_EVENTS.map((type) => ({ type }))];

const nameOf = (event: ConnectionEvent) => (event.type === 'FAIL' ? `FAIL(${event.code})` : event.type);

/** architecture.md §5, written down a second time, state by state. What is not named changes nothing. */
const FAILURES = {
  'FAIL(config)': 'draft',
  'FAIL(auth)': 'needsAuth',
  'FAIL(scope)': 'needsAuth',
  'FAIL(rate_limited)': 'paused',
  'FAIL(unreachable)': 'retrying',
  'FAIL(upstream)': 'retrying',
  'FAIL(unsupported)': 'failed',
} as const;
const EXPECTED: Record<ConnectionState, Record<string, ConnectionState>> = {
  absent: { CONFIGURE: 'draft' },
  draft: { SUBMIT: 'checking', AUTHORIZE: 'authorizing', REMOVE: 'removing' },
  authorizing: { CALLBACK: 'checking', DENIED: 'draft', EXPIRED: 'draft', REMOVE: 'removing' },
  checking: { OK: 'connected', ...FAILURES, REMOVE: 'removing' },
  connected: { SYNC: 'syncing', CHECK: 'checking', ...FAILURES, REMOVE: 'removing' },
  syncing: { DONE: 'connected', ...FAILURES, REMOVE: 'removing' },
  needsAuth: { REAUTHORIZE: 'authorizing', EDIT: 'draft', REMOVE: 'removing' },
  paused: { TIMER: 'checking', REMOVE: 'removing' },
  retrying: { BACKOFF: 'checking', GIVE_UP: 'failed', REMOVE: 'removing' },
  failed: { REMOVE: 'removing' },
  removing: { DONE: 'absent' },
};
const EXPECTED_GATE: Record<GateState, Record<string, GateState>> = {
  open: {
    DISABLE_BY_ORGANISATION: 'disabledByOrganisation',
    DISABLE_BY_PLATFORM: 'disabledByPlatform',
    CRASHES: 'quarantined',
  },
  disabledByOrganisation: { ENABLE_BY_ORGANISATION: 'open' },
  disabledByPlatform: { ENABLE_BY_PLATFORM: 'open' },
  quarantined: { RELEASE: 'open' },
};

/** Every state × event in which a machine does something else than the tables say, gate and connection together. */
function differences(machine: AnyStateMachine): string[] {
  const found: string[] = [];
  for (const connection of CONNECTION_STATES) {
    for (const gate of GATE_STATES) {
      for (const event of ALL_EVENTS) {
        const snapshot = machine.resolveState({ value: { connection, gate }, context: NO_CONNECTION });
        const [next] = transition(machine, snapshot, event);
        const name = nameOf(event);
        const expected = {
          connection: EXPECTED[connection][name] ?? connection,
          gate: EXPECTED_GATE[gate][name] ?? gate,
        };
        if (JSON.stringify(next.value) !== JSON.stringify(expected)) {
          found.push(
            `${connection}/${gate} ${name}: ${JSON.stringify(next.value)} instead of ${JSON.stringify(expected)}`,
          );
        }
      }
    }
  }
  return found;
}

/** Ways through the table that visit no state twice, each end counted: what the graph of the machine must have too. */
function countSimplePaths(state: ConnectionState, before: ReadonlySet<ConnectionState>): number {
  const visited = new Set([...before, state]);
  const next = Object.values(EXPECTED[state]).filter((target) => !visited.has(target));
  return next.reduce((sum, target) => sum + countSimplePaths(target, visited), 1);
}

const serializeByState = (snapshot: { value: unknown }) => JSON.stringify(snapshot.value);

describe('connection statechart', () => {
  it('does in every state, with every event, what the architecture says, and nothing else', () => {
    expect(differences(connectionMachine)).toEqual([]);
  });

  it.each(CONNECTOR_ERROR_CODES)('goes by the code %s alone, from checking, connected and syncing', (code) => {
    for (const connection of ['checking', 'connected', 'syncing'] as const) {
      expect(advance({ ...NO_CONNECTION, connection }, fail(code)).connection).toBe(FAILURE_STATES[code]);
      expect(EXPECTED[connection][`FAIL(${code})`]).toBe(FAILURE_STATES[code]);
    }
  });

  it('reaches every state of both regions together', () => {
    const paths = getShortestPaths(connectionMachine, { events: ALL_EVENTS, serializeState: serializeByState });
    const reached = new Set(paths.map((path) => serializeByState(path.state)));
    expect(reached.size).toBe(CONNECTION_STATES.length * GATE_STATES.length);
  });

  it('keeps to the table along every simple path from absent, and can be removed at the end of each', () => {
    const paths = getSimplePaths(connectionMachine, { events: CONNECTION_EVENTS, serializeState: serializeByState });
    expect(paths).toHaveLength(countSimplePaths('absent', new Set()));
    for (const path of paths) {
      let state: StoredConnection = NO_CONNECTION;
      for (const { event } of path.steps) {
        if (String(event.type) === 'xstate.init') continue;
        const expected = EXPECTED[state.connection][nameOf(event)] ?? state.connection;
        state = advance(state, event);
        expect(state.connection).toBe(expected);
      }
      expect(state.connection).toBe(path.state.value.connection);
      const removed = advance(advance(state, { type: 'REMOVE' }), { type: 'DONE' });
      expect(removed).toEqual(NO_CONNECTION);
    }
  });
});

type Config = Record<string, unknown>;

/** The machine's configuration once for each of its transitions, without that one. */
function mutants(): { name: string; machine: AnyStateMachine }[] {
  const places: { name: string; remove(config: Config): void }[] = [];
  for (const [region, regionConfig] of Object.entries(connectionMachine.config.states ?? {})) {
    for (const [state, stateConfig] of Object.entries(regionConfig.states ?? {})) {
      for (const [event, target] of Object.entries(stateConfig.on ?? {})) {
        const list = Array.isArray(target) ? target : [target];
        list.forEach((_, index) => {
          places.push({
            name: `${region}.${state} ${event}[${index}]`,
            remove: (config) => removeAt(config, [region, state], event, index),
          });
        });
      }
    }
  }
  return places.map(({ name, remove }) => {
    const config = structuredClone(connectionMachine.config) as Config;
    remove(config);
    return { name, machine: createMachine(config as never).provide(connectionMachine.implementations as never) };
  });
}

function removeAt(config: Config, states: string[], event: string, index: number): void {
  let node = config;
  for (const name of states) node = (node['states'] as Record<string, Config>)[name] as Config;
  const on = node['on'] as Config;
  const target = on[event];
  if (Array.isArray(target)) target.splice(index, 1);
  else delete on[event];
}

describe('the check of the statechart', () => {
  const all = mutants();

  it('finds every transition of the machine', () => {
    const inConnection = Object.values(EXPECTED).reduce((sum, events) => sum + Object.keys(events).length, 0);
    const inGate = Object.values(EXPECTED_GATE).reduce((sum, events) => sum + Object.keys(events).length, 0);
    expect(all).toHaveLength(inConnection + inGate);
  });

  it.each(all)('notices that $name is gone', ({ machine }) => {
    expect(differences(machine)).not.toEqual([]);
  });
});

describe('facts beside the state', () => {
  const checking: StoredConnection = { ...NO_CONNECTION, connection: 'checking' };
  const unreachable: ConnectionEvent = {
    type: 'FAIL',
    code: 'unreachable',
    message: 'No answer from git.example.com.',
    help: 'Is the host name right?',
    retryAt: '2026-11-21T10:00:00.000Z',
  };

  it('remembers why, when to come back, and how often it failed in a row', () => {
    const first = advance(checking, unreachable);
    expect(first).toEqual({
      connection: 'retrying',
      gate: 'open',
      failure: { code: 'unreachable', message: 'No answer from git.example.com.', help: 'Is the host name right?' },
      retryAt: '2026-11-21T10:00:00.000Z',
      attempts: 1,
    });
    const again = advance(first, { type: 'BACKOFF' });
    expect(again).toMatchObject({ connection: 'checking', retryAt: null, attempts: 1 });
    expect(again.failure).not.toBeNull();
    expect(advance(again, unreachable).attempts).toBe(2);
  });

  it('forgets all of it on success', () => {
    const again = advance(advance(checking, unreachable), { type: 'BACKOFF' });
    expect(advance(again, { type: 'OK' })).toEqual({ ...NO_CONNECTION, connection: 'connected' });
  });

  it('counts attempts in a row only: a refusal is an answer', () => {
    const again = advance(advance(checking, unreachable), { type: 'BACKOFF' });
    expect(advance(again, fail('auth'))).toMatchObject({ connection: 'needsAuth', attempts: 0, retryAt: null });
  });

  it('keeps a time to come back only where it comes back by itself', () => {
    for (const code of CONNECTOR_ERROR_CODES) {
      const state = advance(checking, { type: 'FAIL', code, message: 'no', retryAt: '2026-11-21T10:00:00.000Z' });
      expect(state.retryAt !== null).toBe(state.connection === 'paused' || state.connection === 'retrying');
      expect(advance(state, { type: 'REMOVE' })).toEqual({ ...NO_CONNECTION, connection: 'removing' });
    }
  });

  it('keeps the failure through giving up, so that the card can say why', () => {
    const given = advance(advance(checking, unreachable), { type: 'GIVE_UP' });
    expect(given).toMatchObject({ connection: 'failed', retryAt: null, failure: { code: 'unreachable' } });
  });

  it('is plain JSON, so that a stored connection goes on after a restart', () => {
    const stored = advance(checking, unreachable);
    const restored: StoredConnection = JSON.parse(JSON.stringify(stored));
    expect(advance(restored, { type: 'BACKOFF' })).toEqual(advance(stored, { type: 'BACKOFF' }));
  });

  it('leaves a connection as it is when the event does not apply', () => {
    expect(advance(checking, { type: 'SYNC' })).toEqual(checking);
    expect(mayAdvance(checking, { type: 'SYNC' })).toBe(false);
    expect(mayAdvance(checking, { type: 'OK' })).toBe(true);
  });

  it('opens and closes the gate without touching the connection', () => {
    const connected: StoredConnection = { ...NO_CONNECTION, connection: 'connected' };
    const quarantined = advance(connected, { type: 'CRASHES' });
    expect(quarantined).toEqual({ ...connected, gate: 'quarantined' });
    expect(advance(quarantined, { type: 'RELEASE' })).toEqual(connected);
  });
});
