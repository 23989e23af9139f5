import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { ConnectionKey } from '../../model/connection-key.ts';
import '../tables.ts';

const MAX_AT_ONCE = 500;

/**
 * Connections of every client for which time has made something due. Needs `app.identity`.
 * Indexes: connections_due, connections_stuck, connections_unchecked, connections_authorizing.
 */
export const listDueConnections = async (
  db: Db,
  { checkEveryHours, consentMinutes }: { checkEveryHours: number; consentMinutes: number },
): Promise<ConnectionKey[]> => {
  const { rows } = await sql<ConnectionKey>`
    with due as (
      select client_id, connector_id, true as must_be_open from connections
        where state in ('paused', 'retrying') and retry_at <= now() and health = 'sound'
      union all
      select client_id, connector_id, false from connections
        where state in ('checking', 'syncing', 'removing') and run_until <= now()
      union all
      select client_id, connector_id, true from connections
        where state = 'connected' and last_check_at <= now() - make_interval(hours => ${checkEveryHours}) and health = 'sound'
      union all
      select client_id, connector_id, false from connections
        where state = 'authorizing' and authorizing_since <= now() - make_interval(mins => ${consentMinutes})
    )
    select due.client_id as "clientId", due.connector_id as "connectorId" from due
    left join connector_switches s on s.client_id = due.client_id and s.connector_id = due.connector_id
    left join platform_connector_switches p on p.connector_id = due.connector_id
    where not due.must_be_open or (coalesce(s.is_enabled, true) and coalesce(p.is_enabled, true))
    limit ${MAX_AT_ONCE}`.execute(db);
  return rows;
};
