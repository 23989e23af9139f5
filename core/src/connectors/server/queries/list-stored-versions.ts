import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { ConnectionKey } from '../../model/connection-key.ts';
import '../tables.ts';

/** Which plugin version stored each connection, of every client. Needs `app.identity`; reads the whole table, once at start. */
export const listStoredVersions = async (db: Db): Promise<(ConnectionKey & { version: string })[]> => {
  const { rows } = await sql<ConnectionKey & { version: string }>`
    select client_id as "clientId", connector_id as "connectorId", plugin_version as version
    from connections where plugin_version is not null`.execute(db);
  return rows;
};
