import { and, assign, transition as nextSnapshot, setup, stateIn } from 'xstate';
import { CONNECTOR_ERROR_CODES, type ConnectorErrorCode } from './errors.ts';

/** Where a connection of one organisation to one service stands. Source: architecture.md §5. */
export const CONNECTION_STATES = [
  'absent',
  'draft',
  'authorizing',
  'checking',
  'connected',
  'syncing',
  'needsAuth',
  'paused',
  'retrying',
  'failed',
  'removing',
] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/** Whether the connection may be used at all, beside its own state: the strongest of the three switches, see `gateOf`. */
export const GATE_STATES = ['open', 'disabledByOrganisation', 'disabledByPlatform', 'quarantined'] as const;
export type GateState = (typeof GATE_STATES)[number];

export type SwitchState = 'enabled' | 'disabled';
export type HealthState = 'sound' | 'quarantined';

/** Why the connection is where it is, for the card. */
export interface ConnectionFailure {
  readonly code: ConnectorErrorCode;
  readonly message: string;
  readonly help?: string;
}

/** Facts beside the state. Stored with it; plain JSON. */
export interface ConnectionContext {
  /** The last failure, until the next success. */
  readonly failure: ConnectionFailure | null;
  /** ISO 8601 time at which the host sends TIMER (paused) or BACKOFF (retrying); null in every other state. */
  readonly retryAt: string | null;
  /** Times in a row that the service could not be reached; the host computes its backoff from it and gives up by it. */
  readonly attempts: number;
}

/**
 * What may happen to a connection. Time is the host's: it decides `retryAt`, keeps the timer and sends TIMER, BACKOFF or GIVE_UP,
 * so that the machine is the same in the server, in the browser and in the kit.
 */
export type ConnectionEvent =
  | { type: 'CONFIGURE' }
  | { type: 'SUBMIT' }
  | { type: 'AUTHORIZE' }
  | { type: 'CALLBACK' }
  | { type: 'DENIED' }
  | { type: 'EXPIRED' }
  | { type: 'OK' }
  | { type: 'CHECK' }
  | { type: 'SYNC' }
  | { type: 'DONE' }
  | ({ type: 'FAIL'; retryAt?: string } & ConnectionFailure)
  | { type: 'REAUTHORIZE' }
  | { type: 'EDIT' }
  | { type: 'TIMER' }
  | { type: 'BACKOFF' }
  | { type: 'GIVE_UP' }
  | { type: 'REMOVE' }
  | { type: 'DISABLE_BY_ORGANISATION' }
  | { type: 'ENABLE_BY_ORGANISATION' }
  | { type: 'DISABLE_BY_PLATFORM' }
  | { type: 'ENABLE_BY_PLATFORM' }
  | { type: 'CRASHES' }
  | { type: 'RELEASE' };

const NOTHING_WRONG: ConnectionContext = { failure: null, retryAt: null, attempts: 0 };

/** The state that each failure leads to, from checking, connected and syncing alike. Source: architecture.md §5. */
export const FAILURE_STATES = {
  auth: 'needsAuth',
  scope: 'needsAuth',
  config: 'draft',
  unreachable: 'retrying',
  rate_limited: 'paused',
  upstream: 'retrying',
  unsupported: 'failed',
} as const satisfies Record<ConnectorErrorCode, ConnectionState>;

// XState reads only the type of `types`; a value of it saves a cast.
const types: { context: ConnectionContext; events: ConnectionEvent } = {
  context: NOTHING_WRONG,
  events: { type: 'CONFIGURE' },
};

const connectionSetup = setup({
  types,
  guards: {
    isOpen: and([stateIn({ organisation: 'enabled' }), stateIn({ platform: 'enabled' }), stateIn({ health: 'sound' })]),
    failedWith: ({ event }, params: { code: ConnectorErrorCode }) =>
      event.type === 'FAIL' && event.code === params.code,
  },
  actions: {
    clearFailure: assign(NOTHING_WRONG),
    clearTimer: assign({ retryAt: null }),
    storeFailure: assign(({ context, event }) => (event.type === 'FAIL' ? afterFailure(context, event) : {})),
  },
});

function afterFailure(
  context: ConnectionContext,
  event: Extract<ConnectionEvent, { type: 'FAIL' }>,
): ConnectionContext {
  const { code, message, help, retryAt } = event;
  const state = FAILURE_STATES[code];
  const comesBack = state === 'paused' || state === 'retrying';
  return {
    failure: { code, message, ...(help === undefined ? {} : { help }) },
    retryAt: comesBack ? (retryAt ?? null) : null,
    // Any answer of the service, even a refusal, ends a row of failed attempts.
    attempts: state === 'retrying' ? context.attempts + 1 : 0,
  };
}

const FAIL = CONNECTOR_ERROR_CODES.map(
  (code) =>
    ({
      guard: { type: 'failedWith', params: { code } },
      target: FAILURE_STATES[code],
      actions: 'storeFailure',
    }) as const,
);

const REMOVE = { target: 'removing', actions: 'clearFailure' } as const;
/** Work with the service: refused while a switch is off or the connector is in quarantine. */
const ifOpen = <Target extends ConnectionState>(target: Target) => ({ guard: 'isOpen', target }) as const;

/**
 * The one statechart of connections, used by server, browser and kit. Pure: no timers, no input or output.
 * Only a connector of auth type oauth2 is sent AUTHORIZE or REAUTHORIZE; the others go by SUBMIT and EDIT. The three switches are
 * regions of their own, because the organisation and the platform may both have switched a connector off. What has begun
 * ends as it ends while a switch is off; nothing new begins.
 */
export const connectionMachine = connectionSetup.createMachine({
  id: 'connection',
  type: 'parallel',
  context: NOTHING_WRONG,
  states: {
    connection: {
      initial: 'absent',
      states: {
        absent: { on: { CONFIGURE: 'draft' } },
        draft: { on: { SUBMIT: ifOpen('checking'), AUTHORIZE: ifOpen('authorizing'), REMOVE } },
        authorizing: { on: { CALLBACK: ifOpen('checking'), DENIED: 'draft', EXPIRED: 'draft', REMOVE } },
        checking: { on: { OK: { target: 'connected', actions: 'clearFailure' }, FAIL, REMOVE } },
        connected: { on: { CHECK: ifOpen('checking'), SYNC: ifOpen('syncing'), EDIT: 'draft', FAIL, REMOVE } },
        syncing: { on: { DONE: { target: 'connected', actions: 'clearFailure' }, FAIL, REMOVE } },
        needsAuth: { on: { REAUTHORIZE: ifOpen('authorizing'), EDIT: 'draft', REMOVE } },
        paused: { exit: 'clearTimer', on: { TIMER: ifOpen('checking'), EDIT: 'draft', REMOVE } },
        retrying: {
          exit: 'clearTimer',
          on: {
            BACKOFF: ifOpen('checking'),
            CHECK: ifOpen('checking'),
            GIVE_UP: 'failed',
            EDIT: 'draft',
            REMOVE,
          },
        },
        failed: { on: { CHECK: ifOpen('checking'), EDIT: 'draft', REMOVE } },
        removing: { on: { DONE: 'absent' } },
      },
    },
    organisation: {
      initial: 'enabled',
      states: {
        enabled: { on: { DISABLE_BY_ORGANISATION: 'disabled' } },
        disabled: { on: { ENABLE_BY_ORGANISATION: 'enabled' } },
      },
    },
    platform: {
      initial: 'enabled',
      states: {
        enabled: { on: { DISABLE_BY_PLATFORM: 'disabled' } },
        disabled: { on: { ENABLE_BY_PLATFORM: 'enabled' } },
      },
    },
    health: {
      initial: 'sound',
      states: {
        sound: { on: { CRASHES: 'quarantined' } },
        quarantined: { on: { RELEASE: 'sound' } },
      },
    },
  },
});

/** A connection as it is stored: its regions and the facts, plain JSON. */
export interface StoredConnection extends ConnectionContext {
  readonly connection: ConnectionState;
  readonly organisation: SwitchState;
  readonly platform: SwitchState;
  readonly health: HealthState;
}

/** The connection that nobody has configured yet. */
export const NO_CONNECTION: StoredConnection = {
  connection: 'absent',
  organisation: 'enabled',
  platform: 'enabled',
  health: 'sound',
  ...NOTHING_WRONG,
};

/** The strongest reason why nothing runs; `open` where there is none. */
export function gateOf(stored: Pick<StoredConnection, 'organisation' | 'platform' | 'health'>): GateState {
  if (stored.platform === 'disabled') return 'disabledByPlatform';
  if (stored.organisation === 'disabled') return 'disabledByOrganisation';
  return stored.health === 'quarantined' ? 'quarantined' : 'open';
}

/** What an event makes of a stored connection. An event that does not apply leaves it as it is. */
export function transition(stored: StoredConnection, event: ConnectionEvent): StoredConnection {
  const [next] = nextSnapshot(connectionMachine, restore(stored), event);
  return { ...next.value, ...next.context };
}

/** Whether an event applies now: which buttons the card shows, which calls the host accepts. */
export function canTransition(stored: StoredConnection, event: ConnectionEvent): boolean {
  return restore(stored).can(event);
}

function restore({ connection, organisation, platform, health, failure, retryAt, attempts }: StoredConnection) {
  return connectionMachine.resolveState({
    value: { connection, organisation, platform, health },
    context: { failure, retryAt, attempts },
  });
}
