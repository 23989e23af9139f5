import { sql } from 'kysely';
import type { Db } from '../../platform/server/database.ts';

const removeFindingsOf = async (db: Db, clientId: string, repositoryId: string): Promise<void> => {
  const statements = [
    sql`delete from finding_locations d using findings f
        where f.client_id = ${clientId} and f.repository_id = ${repositoryId} and d.client_id = f.client_id and d.finding_id = f.id`,
    sql`delete from finding_details d using findings f
        where f.client_id = ${clientId} and f.repository_id = ${repositoryId} and d.client_id = f.client_id and d.finding_id = f.id`,
    sql`delete from finding_events e using findings f
        where f.client_id = ${clientId} and f.repository_id = ${repositoryId} and e.client_id = f.client_id and e.finding_id = f.id`,
    sql`delete from findings where client_id = ${clientId} and repository_id = ${repositoryId}`,
  ];
  for (const statement of statements) await statement.execute(db);
};

/**
 * Removes the findings of a repository with their history and counts. `repositoryIds`: of its branches and of the repository.
 * What the organisation shares, the aggregates, is locked once, when all findings are gone.
 */
export const removeRepository = async (
  db: Db,
  { clientId, repositoryIds }: { clientId: string; repositoryIds: readonly string[] },
): Promise<void> => {
  await sql`select defer_rollups()`.execute(db);
  for (const repositoryId of repositoryIds) await removeFindingsOf(db, clientId, repositoryId);
  await sql`select apply_deferred_rollups()`.execute(db);
  // after the counts: what they take away is written into the history, which would show in the charts of earlier days
  for (const repositoryId of repositoryIds) await sql`select remove_rollup_history(${repositoryId})`.execute(db);
};
