import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { checkTwoFactor } from '../../api/two-factor-routes.ts';
import type { TwoFactorState } from './two-factor.machine.ts';

/** Whether two-factor is on for who is signed in, and whether their organisation requires it. */
export const readTwoFactor = async (api: ApiClient): Promise<TwoFactorState> => (await api.call(checkTwoFactor)).data;
