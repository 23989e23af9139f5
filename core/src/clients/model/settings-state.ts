/** How a page of settings can stand; the browser has a text for each. */
export const SETTING_STATES = [
  'on',
  'off',
  'not_set',
  'parts_set',
  'scans_on_request',
  'scans_weekly',
  'scans_monthly',
  'tools_excluded',
  'own_weights',
  'default_weights',
  'none_configured',
  'configured',
  'two_factor_required',
  'two_factor_optional',
  'people',
  'sign_in_enforced',
  'sign_in_optional',
] as const;

export interface SettingState {
  state: (typeof SETTING_STATES)[number];
  /** How many, of the states that count. */
  count?: number;
  /** Of how many. */
  total?: number;
}
