import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';

/** Ours: what stands below each entry of `/settings`. */
export const getSettingsState = route({
  method: 'GET',
  path: '/client/settings-state',
  tag: 'clients',
  summary:
    'How settings stand, in a few words each, by the address of their page; only of pages that the caller may open',
  access: { permission: 'account.use', tenant: true },
  response: Type.Object({ data: Type.Record(Type.String(), Type.String()) }),
});
