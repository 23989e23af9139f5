import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { formatList } from '../../platform/ui/display/formats.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { getSettingsState } from '../api/settings-state-routes.ts';
import type { SettingState } from '../model/settings-state.ts';

const TEXTS: Record<SettingState['state'], (count: number, total: number) => string> = {
  on: () => t('On'),
  off: () => t('Off'),
  not_set: () => t('Not set'),
  parts_set: (count, total) => t('{count} of {total} set', { count, total }),
  scans_on_request: () => t('On request only'),
  scans_weekly: () => t('Every week'),
  scans_monthly: () => t('Every month'),
  tools_excluded: (count) => plural(count, '{count} tool excluded', '{count} tools excluded'),
  own_weights: () => t('Own weights'),
  default_weights: () => t('Weights of the product'),
  none_configured: () => t('None configured'),
  configured: (count) => t('{count} configured', { count }),
  two_factor_required: () => t('Two-factor required of everybody'),
  two_factor_optional: () => t('Two-factor is optional'),
  people: (count) => plural(count, '{count} person', '{count} people'),
  sign_in_enforced: () => t('On for everyone'),
  sign_in_optional: () => t('On, beside passwords'),
};

/** How a page of settings stands, in the reader's language. */
export const stateText = (states: readonly SettingState[]): string =>
  formatList(states.map(({ state, count = 0, total = 0 }) => TEXTS[state](count, total)));

/** How settings stand, in a few words each, by the address of their page. */
export const loadSettingsState = async (
  api: ApiClient,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> => {
  const { data } = await api.call(getSettingsState, { signal });
  return Object.fromEntries(Object.entries(data).map(([path, states]) => [path, stateText(states)]));
};
