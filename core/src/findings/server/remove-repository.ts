import { sql } from 'kysely';
import type { Db } from '../../platform/server/database.ts';

/**
 * Removes the findings of a repository, or of one branch of it, with their history and counts.
 * `repositoryId`: of the repository or the branch.
 */
export const removeRepository = async (
  db: Db,
  { clientId, repositoryId }: { clientId: string; repositoryId: string },
): Promise<void> => {
  const statements = [
    sql`delete from finding_details d using findings f
        where f.client_id = ${clientId} and f.repository_id = ${repositoryId} and d.client_id = f.client_id and d.finding_id = f.id`,
    sql`delete from finding_events e using findings f
        where f.client_id = ${clientId} and f.repository_id = ${repositoryId} and e.client_id = f.client_id and e.finding_id = f.id`,
    sql`delete from findings where client_id = ${clientId} and repository_id = ${repositoryId}`,
    // Triggers have taken the counts away; the history would show in the charts of earlier days.
    sql`select remove_rollup_history(${repositoryId})`,
  ];
  for (const statement of statements) await statement.execute(db);
};
