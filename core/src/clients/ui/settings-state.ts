import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { getSettingsState } from '../api/settings-state-routes.ts';

/** How settings stand, in a few words each, by the address of their page. */
export const loadSettingsState = async (
  api: ApiClient,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> => (await api.call(getSettingsState, { signal })).data;
