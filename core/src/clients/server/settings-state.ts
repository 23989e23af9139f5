import { can } from '../../platform/model/permissions.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { readSettings } from '../../prioritisation/server/index.ts';
import { describeSignIn } from '../../single-sign-on/server/index.ts';
import { companyParts, fullCompany } from '../model/company.ts';
import type { SettingState } from '../model/settings-state.ts';
import type { ClientDeps } from './deps.ts';
import './tables.ts';

type States = Record<string, SettingState[]>;

const readOwn = async (db: Db, { clientId, userId }: Caller): Promise<States> => {
  const own = await db
    .selectFrom('users')
    .select('two_factor_at')
    .where('client_id', '=', clientId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return { '/settings/setup-2fa': [{ state: (own?.two_factor_at ?? null) === null ? 'off' : 'on' }] };
};

const SCHEDULES = { none: 'scans_on_request', weekly: 'scans_weekly', monthly: 'scans_monthly' } as const;

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
    .select(['address', 'company', 'require_2fa', 'schedule_scan', 'excluded_tools'])
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow();
  const parts = [row.address !== '', ...companyParts(fullCompany(row.company))];
  const count = parts.filter(Boolean).length;
  states['/Organization'] = [count === 0 ? { state: 'not_set' } : { state: 'parts_set', count, total: parts.length }];
  const excluded = row.excluded_tools.length;
  states['/settings/scans'] = [
    { state: SCHEDULES[row.schedule_scan] },
    ...(excluded === 0 ? [] : [{ state: 'tools_excluded' as const, count: excluded }]),
  ];
  const { settings } = await readSettings(db, clientId);
  states['/settings/prioritisation'] = [{ state: settings.toggle ? 'own_weights' : 'default_weights' }];
  if (can(role, 'connectors.read')) {
    const configured = (await connections.catalogue(db, clientId)).filter((item) => item.attributes.is_configured);
    const { length } = configured;
    states['/connector/providers'] = [
      length === 0 ? { state: 'none_configured' } : { state: 'configured', count: length },
    ];
  }
  if (can(role, 'settings.write')) {
    states['/settings/security'] = [{ state: row.require_2fa ? 'two_factor_required' : 'two_factor_optional' }];
  }
  if (can(role, 'team.manage')) {
    states['/settings/team'] = [{ state: 'people', count: await countMembers(db, clientId) }];
    states['/settings/single-sign-on'] = [{ state: await describeSignIn(db, clientId) }];
  }
  return states;
};
