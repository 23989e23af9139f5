import {
  type ConnectionEvent,
  type ConnectionState,
  canTransition,
  type GateState,
  type StoredConnection,
} from '@breakwater/sdk';
import { msg } from '../../../platform/model/message.ts';
import { can, type Role } from '../../../platform/model/permissions.ts';
import type { StatusTone } from '../../../platform/ui/display/badges.tsx';
import { type Connector, formOf, TOKENS_CARD } from './connector.ts';

/** The connection as the statechart knows it. Of several closed switches the server names the strongest only. */
export const storedOf = ({ state, gate, state_detail }: Connector): StoredConnection => ({
  connection: state,
  organisation: gate.state === 'disabledByOrganisation' ? 'disabled' : 'enabled',
  platform: gate.state === 'disabledByPlatform' ? 'disabled' : 'enabled',
  health: gate.state === 'quarantined' ? 'quarantined' : 'sound',
  failure:
    state_detail.code === null ? null : { code: state_detail.code, message: state_detail.message ?? state_detail.code },
  retryAt: state_detail.retry_at,
  attempts: 0,
});

/** Whether there is a service behind the card; the others only name what they take in. */
export const isConnectable = (connector: Connector): boolean =>
  connector.id !== TOKENS_CARD &&
  connector.disabled === null &&
  (formOf(connector).length > 0 || connector.abilities.includes('check'));

export interface StatusWord {
  tone: StatusTone;
  word: string;
  /** Something runs now: a spinner stands in place of the dot. */
  isBusy?: boolean;
}

const STATE_WORDS: Record<ConnectionState, StatusWord> = {
  absent: { tone: 'off', word: msg('Not configured') },
  draft: { tone: 'off', word: msg('Not finished') },
  authorizing: { tone: 'accent', word: msg('Waiting for sign-in') },
  checking: { tone: 'neutral', word: msg('Checking access'), isBusy: true },
  connected: { tone: 'ok', word: msg('Connected') },
  syncing: { tone: 'ok', word: msg('Pulling findings'), isBusy: true },
  needsAuth: { tone: 'warn', word: msg('Needs re-authorisation') },
  paused: { tone: 'warn', word: msg('Paused') },
  retrying: { tone: 'warn', word: msg('Trying again') },
  failed: { tone: 'bad', word: msg('Failed') },
  removing: { tone: 'neutral', word: msg('Being deleted'), isBusy: true },
};

const GATE_WORDS: Record<Exclude<GateState, 'open'>, StatusWord> = {
  disabledByPlatform: { tone: 'off', word: msg('Switched off by the platform') },
  disabledByOrganisation: { tone: 'off', word: msg('Switched off') },
  quarantined: { tone: 'bad', word: msg('In quarantine') },
};

const DISABLED: StatusWord = { tone: 'off', word: msg('Disabled') };
const TOKENS_IN_USE: StatusWord = { tone: 'ok', word: msg('Configured') };
const READY: StatusWord = { tone: 'neutral', word: msg('Ready') };
const TO_MEND: StatusWord = { tone: 'warn', word: msg('Needs a change') };

/** The state of a card as shape, colour and word: the maker's mark first, then the switches, then the connection. */
export const statusOf = (connector: Connector): StatusWord => {
  if (connector.disabled !== null) return DISABLED;
  if (connector.gate.state !== 'open') return GATE_WORDS[connector.gate.state];
  if (connector.id === TOKENS_CARD && connector.is_configured) return TOKENS_IN_USE;
  if (!isConnectable(connector)) return READY;
  if (connector.state === 'draft' && connector.state_detail.code !== null) return TO_MEND;
  return STATE_WORDS[connector.state];
};

/** A connection works, or works right now. */
export const isConnected = (connector: Connector): boolean =>
  isConnectable(connector) &&
  connector.gate.state === 'open' &&
  (connector.state === 'connected' || connector.state === 'syncing');

const TROUBLED: readonly ConnectionState[] = ['needsAuth', 'retrying', 'failed'];

/** Somebody has to look at it. A pause that the service asked for ends by itself. */
export const needsAttention = (connector: Connector): boolean => {
  if (connector.disabled !== null) return false;
  if (connector.gate.state !== 'open') return connector.gate.state === 'quarantined';
  return TROUBLED.includes(connector.state) || statusOf(connector) === TO_MEND;
};

/** What a person of this role can do with a connection as it stands. */
export interface AllowedActions {
  /** Store fields of the form. */
  edit: boolean;
  check: boolean;
  /** Go to the service and come back with its consent. */
  signIn: boolean;
  sync: boolean;
  release: boolean;
  remove: boolean;
  switchOn: boolean;
  switchOff: boolean;
  platformSwitchOn: boolean;
  platformSwitchOff: boolean;
}

/** What has begun ends before anybody is sent to the service. */
const AT_WORK: readonly ConnectionState[] = ['checking', 'syncing', 'removing'];

/** What the statechart, the connector and the role allow together. Source: decisions.md "Roles". */
export const allowedActions = (connector: Connector, role: Role | undefined): AllowedActions => {
  const stored = storedOf(connector);
  const canSend = (type: Exclude<ConnectionEvent['type'], 'FAIL'>): boolean => canTransition(stored, { type });
  const mayWrite = can(role, 'connectors.write');
  const isUsable = mayWrite && connector.disabled === null;
  const isSwitchable = connector.disabled === null && connector.id !== TOKENS_CARD;
  return {
    edit: mayWrite && (stored.connection === 'draft' || canSend('CONFIGURE') || canSend('EDIT')),
    check: isUsable && connector.abilities.includes('check') && canSend('CHECK'),
    signIn:
      isUsable && connector.sign_in !== null && connector.gate.state === 'open' && !AT_WORK.includes(connector.state),
    sync: isUsable && connector.abilities.includes('sync') && canSend('SYNC'),
    release: isUsable && canSend('RELEASE'),
    remove: mayWrite && formOf(connector).length > 0 && canSend('REMOVE'),
    // Under the platform's switch the organisation's own cannot be seen.
    switchOn: mayWrite && isSwitchable && stored.platform === 'enabled' && canSend('ENABLE_BY_ORGANISATION'),
    switchOff: mayWrite && isSwitchable && stored.platform === 'enabled' && canSend('DISABLE_BY_ORGANISATION'),
    platformSwitchOn: can(role, 'platform.write') && isSwitchable && canSend('ENABLE_BY_PLATFORM'),
    platformSwitchOff: can(role, 'platform.write') && isSwitchable && canSend('DISABLE_BY_PLATFORM'),
  };
};

/** Source: specification §6 "The Plexalyzer connector". */
export const mayManageTokens = (role: Role | undefined): boolean => can(role, 'tokens.manage');

/** Whether this person can bring a report for the card. */
export const mayUpload = (connector: Connector, role: Role | undefined): boolean =>
  connector.abilities.includes('upload') && can(role, 'scans.upload');

/** The one button of a card. */
export type MainAction = 'upload' | 'set-up' | 'reconnect' | 'manage' | 'check' | 'view';

/** What the button of a card does; nothing while something runs or where nothing can be done. */
export const mainActionOf = (connector: Connector, role: Role | undefined): MainAction | undefined => {
  const canUpload = mayUpload(connector, role);
  if (connector.id === TOKENS_CARD) return mayManageTokens(role) ? 'manage' : 'view';
  if (connector.disabled !== null) return canUpload ? 'upload' : undefined;
  if (connector.gate.state !== 'open')
    return can(role, 'connectors.write') || can(role, 'platform.write') ? 'manage' : 'view';
  if (!isConnectable(connector)) return canUpload ? 'upload' : 'view';
  if (connector.state === 'checking' || connector.state === 'removing') return undefined;
  const allowed = allowedActions(connector, role);
  if (connector.state === 'needsAuth' && allowed.edit) return 'reconnect';
  if ((connector.state === 'failed' || connector.state === 'retrying') && allowed.check) return 'check';
  if (!allowed.edit) return connector.state === 'syncing' && can(role, 'connectors.write') ? 'manage' : 'view';
  return connector.state === 'absent' || connector.state === 'draft' ? 'set-up' : 'manage';
};

const READ_ONLY = {
  organization: msg('An admin of your organisation sets up connectors. You can see their state and history.'),
  platform: msg('Superadmins look at an organisation without changing it. Its admins set up connectors.'),
} as const;

/** Why this person cannot change anything; nothing where they can. */
export const readOnlyReason = (role: Role | undefined): string | undefined => {
  if (role === undefined || can(role, 'connectors.write')) return undefined;
  return can(role, 'clients.manage') ? READ_ONLY.platform : READ_ONLY.organization;
};
