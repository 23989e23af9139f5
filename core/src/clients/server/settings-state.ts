import { can } from '../../platform/model/permissions.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { readSettings } from '../../prioritisation/server/index.ts';
import { describeSignIn } from '../../single-sign-on/server/index.ts';
import { companyParts, fullCompany } from '../model/company.ts';
import type { ClientDeps } from './deps.ts';
import './tables.ts';

type States = Record<string, string>;

const amount = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const readOwn = async (db: Db, { clientId, userId }: Caller): Promise<States> => {
  const own = await db
    .selectFrom('users')
    .select('two_factor_at')
    .where('client_id', '=', clientId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return { '/settings/setup-2fa': (own?.two_factor_at ?? null) === null ? 'Off' : 'On' };
};

const countMembers = async (db: Db, clientId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('users')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('client_id', '=', clientId)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow();
  return count;
};

/** How settings stand, by the address of their page; only of pages that the caller may open. Reads single rows, and the connections. */
export const readSettingsState = async (
  { connections }: Pick<ClientDeps, 'connections'>,
  db: Db,
  caller: Caller,
): Promise<States> => {
  const { clientId, role } = caller;
  const states = await readOwn(db, caller);
  if (!can(role, 'settings.read')) return states;
  const row = await db
    .selectFrom('clients')
    .select(['address', 'company', 'require_2fa'])
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow();
  const parts = [row.address !== '', ...companyParts(fullCompany(row.company))];
  const filled = parts.filter(Boolean).length;
  states['/Organization'] = filled === 0 ? 'Not set' : `${filled} of ${parts.length} set`;
  const { settings } = await readSettings(db, clientId);
  states['/settings/prioritisation'] = settings.toggle ? 'Own weights' : 'Weights of the product';
  if (can(role, 'connectors.read')) {
    const configured = (await connections.catalogue(db, clientId)).filter((item) => item.attributes.is_configured);
    const { length } = configured;
    states['/connector/providers'] = length === 0 ? 'None configured' : `${length} configured`;
  }
  if (can(role, 'settings.write')) {
    states['/settings/security'] = row.require_2fa ? 'Two-factor required of everybody' : 'Two-factor is up to each';
  }
  if (can(role, 'team.manage')) {
    states['/settings/team'] = amount(await countMembers(db, clientId), 'person', 'people');
    states['/settings/single-sign-on'] = await describeSignIn(db, clientId);
  }
  return states;
};
