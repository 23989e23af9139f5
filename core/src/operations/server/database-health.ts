import { sql } from 'kysely';
import type { Db } from '../../platform/server/database.ts';
import type { Health } from '../api/routes.ts';
import { databaseStatus } from '../model/health.ts';

interface DatabaseFacts {
  version: string;
  sizeBytes: number;
  connections: number;
  maxConnections: number;
}

/** Connections are those of all databases of the server, which share them. What other sessions do is not for the application to see. */
export const readDatabaseHealth = async (db: Db): Promise<Health['database']> => {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as "sizeBytes",
      (select sum(numbackends) from pg_stat_database)::integer as connections,
      current_setting('max_connections')::integer as "maxConnections"`.execute(db);
  const [facts] = rows;
  if (facts === undefined) throw new Error('The database says nothing of itself.');
  return {
    status: databaseStatus(facts),
    version: facts.version,
    size_bytes: facts.sizeBytes,
    connections: facts.connections,
    max_connections: facts.maxConnections,
  };
};
