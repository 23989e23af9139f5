import { CATEGORIES, type CategoryKey, isCategoryKey } from '@breakwater/sdk';
import { formatAmount, formatExact, formatNumber, formatTime } from '../../../platform/ui/display/formats.ts';
import { type Connector, type ConnectorItem, formOf, TOKENS_CARD } from './connector.ts';
import { isConnectable, isConnected, needsAttention } from './connector-state.ts';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** `14:05` today, else with the day: when something comes. */
export const formatMoment = (value: string, now = new Date()): string => {
  const date = new Date(value);
  const time = clock.format(date);
  return date.toDateString() === now.toDateString() ? time : `${formatTime(value, now)}, ${time}`;
};

/** Title of a category; an unknown key as it is. */
export const categoryTitle = (key: string): string => (isCategoryKey(key) ? CATEGORIES[key] : key);

/** Keys of all categories in the order of the catalogue. */
export const CATEGORY_KEYS: readonly CategoryKey[] = Object.keys(CATEGORIES).filter(isCategoryKey);

const lower = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** `a, b and c`. */
const listed = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Required fields that hold nothing yet, by their labels. */
export const missingFields = (connector: Connector): string[] =>
  formOf(connector).flatMap(({ name, label, isRequired }) => {
    const stored = connector.fields[name];
    const isFilled = stored?.set === true || (stored?.value ?? null) !== null;
    return isRequired && !isFilled ? [lower(label)] : [];
  });

const failure = ({ state_detail }: Connector): string =>
  sentence(state_detail.message ?? 'The service could not be used');

const retry = ({ state_detail }: Connector): string =>
  state_detail.retry_at === null ? '' : ` Retries at ${formatMoment(state_detail.retry_at)}.`;

const checked = ({ last_check, last_sync, state_detail }: Connector): string => {
  const who = state_detail.identity === null ? '' : ` as ${state_detail.identity}`;
  const check = last_check === null ? `Connected${who}.` : `Checked ${formatTime(last_check)}${who}.`;
  return last_sync === null ? check : `${check} Findings pulled ${formatTime(last_sync)}.`;
};

const unfinished = (connector: Connector): string => {
  if (connector.state_detail.code !== null) return failure(connector);
  const missing = missingFields(connector);
  if (missing.length === 0) return 'Saved, not checked yet.';
  const licence = connector.commercial ? 'your own licence, ' : '';
  return `Needs ${licence}${listed(missing)}.`;
};

/** Who closed a switch, when and why. */
export const gateText = ({ gate }: Connector): string => {
  const reason = gate.reason === null ? '' : ` ${sentence(gate.reason)}`;
  const when = gate.at === null ? '' : ` ${formatTime(gate.at)}`;
  if (gate.state === 'quarantined') return `Stopped${when}.${reason} Nothing runs until an admin releases it.`;
  const by = gate.by === null ? '' : ` by ${gate.by}`;
  const scope = gate.state === 'disabledByPlatform' ? ' for every organisation' : '';
  return `Switched off${scope}${by}${when}.${reason} Its settings are kept; nothing runs.`;
};

const plain = (connector: Connector): string => {
  if (connector.id === TOKENS_CARD) return 'Tokens for pipelines, each shown once.';
  if (connector.abilities.includes('upload')) return 'Takes its report by upload or from a pipeline.';
  return 'Nothing to set up.';
};

/** What happened last, in a sentence or two. */
export const noteOf = (connector: Connector): string => {
  if (connector.disabled !== null) return sentence(connector.disabled);
  if (connector.gate.state !== 'open') return gateText(connector);
  if (!isConnectable(connector)) return plain(connector);
  switch (connector.state) {
    case 'absent':
    case 'draft':
      return unfinished(connector);
    case 'authorizing':
      return 'Waiting for the sign-in at the service.';
    case 'checking':
      return 'Asking the service. This takes 30 seconds at most.';
    case 'connected':
      return checked(connector);
    case 'syncing':
      return 'Findings are being pulled. It goes on when you leave.';
    case 'removing':
      return 'Settings and secrets are being deleted.';
    default:
      return `${failure(connector)}${retry(connector)}`;
  }
};

/** "3 of 14 connected, 33 take reports, 1 needs attention": only what has a service behind it can be connected. */
export const countsLine = (items: readonly ConnectorItem[]): string => {
  const all = items.map(({ attributes }) => attributes);
  const connectable = all.filter(isConnectable);
  const takers = all.filter((one) => !isConnectable(one) && one.abilities.includes('upload')).length;
  const troubled = all.filter(needsAttention).length;
  const parts = [
    connectable.length === 0
      ? ''
      : `${formatNumber(connectable.filter(isConnected).length)} of ${formatNumber(connectable.length)} connected`,
    takers === 0 ? '' : `${formatNumber(takers)} ${takers === 1 ? 'takes' : 'take'} reports`,
    troubled === 0 ? '' : `${formatNumber(troubled)} ${troubled === 1 ? 'needs' : 'need'} attention`,
  ].filter((part) => part !== '');
  if (parts.length > 0) return parts.join(', ');
  const isAllDisabled = all.every(({ disabled }) => disabled !== null);
  return isAllDisabled ? `${formatNumber(all.length)} disabled` : formatAmount(all.length, 'card');
};

/** Exact moment of the last check for a title; empty where there was none. */
export const noteTitle = ({ last_check }: Connector): string =>
  last_check === null ? '' : `Last check: ${formatExact(last_check)}`;

const EVENT_WORDS: Readonly<Record<string, string>> = {
  CONFIGURE: 'Set-up begun',
  EDIT: 'Settings changed',
  SUBMIT: 'Check started',
  CHECK: 'Check started',
  TIMER: 'Check started after a pause',
  BACKOFF: 'Checked again',
  AUTHORIZE: 'Sign-in started',
  REAUTHORIZE: 'Sign-in started again',
  CALLBACK: 'Signed in at the service',
  DENIED: 'Sign-in refused',
  EXPIRED: 'Sign-in not finished in time',
  OK: 'Check passed',
  SYNC: 'Pull of findings started',
  DONE: 'Finished',
  FAIL: 'Failed',
  GIVE_UP: 'Given up',
  REMOVE: 'Configuration deleted',
  WEBHOOK: 'Webhook not deleted at the service',
  DISABLE_BY_ORGANISATION: 'Switched off for the organisation',
  ENABLE_BY_ORGANISATION: 'Switched on for the organisation',
  DISABLE_BY_PLATFORM: 'Switched off for the platform',
  ENABLE_BY_PLATFORM: 'Switched on for the platform',
  CRASHES: 'Put in quarantine after crashes',
  RELEASE: 'Released from quarantine',
};

/** An event of the history in words; one that is unknown here as it is written. */
export const eventWords = (event: string): string => EVENT_WORDS[event] ?? event;
