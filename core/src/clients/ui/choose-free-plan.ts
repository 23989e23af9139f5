import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { updateClient } from '../api/routes.ts';

/** Chooses the free plan of the own organisation. @throws ApiError */
export const chooseFreePlan = async (api: ApiClient): Promise<void> => {
  await api.call(updateClient, { body: { subscription: { tier: 'free' } } });
};
