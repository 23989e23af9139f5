import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import type { NavigationLink } from '../../../shell/ui/navigation/navigation.store.ts';
import { listSavedFilters } from '../../api/saved-filters-routes.ts';
import { savedViewHref } from './saved-view-href.ts';

/** The views with a star of this person, of every list, for the navigation. */
export const starredViews = async (api: ApiClient, signal: AbortSignal): Promise<NavigationLink[]> => {
  const { data } = await api.call(listSavedFilters, { query: {}, signal });
  return data
    .filter(({ starred }) => starred)
    .map((view) => ({ id: view._id, label: view.name, to: savedViewHref(view) }));
};
