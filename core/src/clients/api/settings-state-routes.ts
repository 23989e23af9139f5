import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { OneOf } from '../../platform/api/envelope.ts';
import { SETTING_STATES } from '../model/settings-state.ts';

const State = Type.Object({
  state: OneOf(SETTING_STATES),
  /** How many, of the states that count. */
  count: Type.Optional(Type.Integer()),
  /** Of how many. */
  total: Type.Optional(Type.Integer()),
});

/** Ours: what stands below each entry of `/settings`. */
export const getSettingsState = route({
  method: 'GET',
  path: '/client/settings-state',
  tag: 'clients',
  summary: 'How settings stand, by the address of their page; only of pages that the caller may open',
  access: { permission: 'account.use', tenant: true },
  response: Type.Object({ data: Type.Record(Type.String(), Type.Array(State)) }),
});
