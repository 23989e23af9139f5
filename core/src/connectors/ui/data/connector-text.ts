import { CATEGORIES, type CategoryKey, isCategoryKey } from '@breakwater/sdk';
import { msg } from '../../../platform/model/message.ts';
import { formatExact, formatList, formatMoment, formatTime } from '../../../platform/ui/display/formats.ts';
import { currentLanguage, plural, t } from '../../../platform/ui/language/translate.ts';
import { type Connector, type ConnectorItem, formOf, TOKENS_CARD } from './connector.ts';
import { isConnectable, isConnected, needsAttention } from './connector-state.ts';

/** Title of a category; an unknown key as it is. */
export const categoryTitle = (key: string): string => (isCategoryKey(key) ? t(CATEGORIES[key]) : key);

/** Keys of all categories in the order of the catalogue. */
export const CATEGORY_KEYS: readonly CategoryKey[] = Object.keys(CATEGORIES).filter(isCategoryKey);

/** Labels begin small inside of an English sentence; other languages keep theirs. */
const lower = (text: string): string =>
  currentLanguage() === 'en' && /^[A-Z]-?[a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Required fields that hold nothing yet, by their labels. */
export const missingFields = (connector: Connector): string[] =>
  formOf(connector).flatMap(({ name, label, isRequired }) => {
    const stored = connector.fields[name];
    const isFilled = stored?.set === true || (stored?.value ?? null) !== null;
    return isRequired && !isFilled ? [lower(label)] : [];
  });

const failure = ({ state_detail }: Connector): string =>
  sentence(t(state_detail.message ?? 'The service could not be used'));

const retry = ({ state_detail }: Connector): string =>
  state_detail.retry_at === null ? '' : ` ${t('Retries at {time}.', { time: formatMoment(state_detail.retry_at) })}`;

const checked = ({ last_check, last_sync, state_detail }: Connector): string => {
  const { identity } = state_detail;
  const time = last_check === null ? '' : formatTime(last_check);
  const unnamed = last_check === null ? t('Connected.') : t('Checked {time}.', { time });
  const named = (name: string): string =>
    last_check === null ? t('Connected as {name}.', { name }) : t('Checked {time} as {name}.', { time, name });
  const check = identity === null ? unnamed : named(identity);
  return last_sync === null ? check : `${check} ${t('Findings pulled {time}.', { time: formatTime(last_sync) })}`;
};

const unfinished = (connector: Connector): string => {
  if (connector.state_detail.code !== null) return failure(connector);
  const missing = missingFields(connector);
  if (missing.length === 0) return t('Saved, not checked yet.');
  const fields = formatList(missing);
  return connector.commercial ? t('Needs your own licence, {fields}.', { fields }) : t('Needs {fields}.', { fields });
};

const SWITCHED_OFF = {
  organisation: {
    plain: msg('Switched off.'),
    by: msg('Switched off by {name}.'),
    at: msg('Switched off {time}.'),
    both: msg('Switched off by {name} {time}.'),
  },
  platform: {
    plain: msg('Switched off for every organisation.'),
    by: msg('Switched off for every organisation by {name}.'),
    at: msg('Switched off for every organisation {time}.'),
    both: msg('Switched off for every organisation by {name} {time}.'),
  },
} as const;

/** Who closed a switch, when and why. */
export const gateText = ({ gate }: Connector): string => {
  const reason = gate.reason === null ? [] : [sentence(t(gate.reason))];
  const time = gate.at === null ? '' : formatTime(gate.at);
  if (gate.state === 'quarantined') {
    const stopped = time === '' ? t('Stopped.') : t('Stopped {time}.', { time });
    return [stopped, ...reason, t('Nothing runs until an admin releases it.')].join(' ');
  }
  const texts = gate.state === 'disabledByPlatform' ? SWITCHED_OFF.platform : SWITCHED_OFF.organisation;
  const { by } = gate;
  const unnamed = time === '' ? t(texts.plain) : t(texts.at, { time });
  const named = (name: string): string => (time === '' ? t(texts.by, { name }) : t(texts.both, { name, time }));
  return [by === null ? unnamed : named(by), ...reason, t('Its settings are kept; nothing runs.')].join(' ');
};

const plain = (connector: Connector): string => {
  if (connector.id === TOKENS_CARD) return t('Tokens for pipelines, each shown once.');
  if (connector.abilities.includes('upload')) return t('Takes its report by upload or from a pipeline.');
  return t('Nothing to set up.');
};

/** What happened last, in a sentence or two. */
export const noteOf = (connector: Connector): string => {
  if (connector.disabled !== null) return sentence(t(connector.disabled));
  if (connector.gate.state !== 'open') return gateText(connector);
  if (!isConnectable(connector)) return plain(connector);
  switch (connector.state) {
    case 'absent':
    case 'draft':
      return unfinished(connector);
    case 'authorizing':
      return t('Waiting for the sign-in at the service.');
    case 'checking':
      return t('Asking the service. This takes 30 seconds at most.');
    case 'connected':
      return checked(connector);
    case 'syncing':
      return t('Findings are being pulled. It goes on when you leave.');
    case 'removing':
      return t('Settings and secrets are being deleted.');
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
  const connected = connectable.filter(isConnected).length;
  const parts = [
    connectable.length === 0 ? '' : t('{connected} of {count} connected', { connected, count: connectable.length }),
    takers === 0 ? '' : plural(takers, '{count} takes reports', '{count} take reports'),
    troubled === 0 ? '' : plural(troubled, '{count} needs attention', '{count} need attention'),
  ].filter((part) => part !== '');
  if (parts.length > 0) return parts.join(', ');
  const isAllDisabled = all.every(({ disabled }) => disabled !== null);
  return isAllDisabled
    ? t('{count} disabled', { count: all.length })
    : plural(all.length, '{count} card', '{count} cards');
};

/** Exact moment of the last check for a title; empty where there was none. */
export const noteTitle = ({ last_check }: Connector): string =>
  last_check === null ? '' : t('Last check: {time}', { time: formatExact(last_check) });

const EVENT_WORDS: Readonly<Record<string, string>> = {
  CONFIGURE: msg('Set-up begun'),
  EDIT: msg('Settings changed'),
  SUBMIT: msg('Check started'),
  CHECK: msg('Check started'),
  TIMER: msg('Check started after a pause'),
  BACKOFF: msg('Checked again'),
  AUTHORIZE: msg('Sign-in started'),
  REAUTHORIZE: msg('Sign-in started again'),
  CALLBACK: msg('Signed in at the service'),
  DENIED: msg('Sign-in refused'),
  EXPIRED: msg('Sign-in not finished in time'),
  OK: msg('Check passed'),
  SYNC: msg('Pull of findings started'),
  DONE: msg('Finished'),
  FAIL: msg('Failed'),
  GIVE_UP: msg('Given up'),
  REMOVE: msg('Configuration deleted'),
  WEBHOOK: msg('Webhook not deleted at the service'),
  DISABLE_BY_ORGANISATION: msg('Switched off for the organisation'),
  ENABLE_BY_ORGANISATION: msg('Switched on for the organisation'),
  DISABLE_BY_PLATFORM: msg('Switched off for the platform'),
  ENABLE_BY_PLATFORM: msg('Switched on for the platform'),
  CRASHES: msg('Put in quarantine after crashes'),
  RELEASE: msg('Released from quarantine'),
};

/** An event of the history in words; one that is unknown here as it is written. */
export const eventWords = (event: string): string => t(EVENT_WORDS[event] ?? event);
