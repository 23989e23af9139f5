import { sql } from 'kysely';
import type { Db } from '../../platform/server/database.ts';
import { licenseChecks } from './licenses/policy-store.ts';
import { versionLookups } from './versions/lookup-settings.ts';

/** Removes the components of a repository. `repositoryIds`: of its branches and of the repository. */
export const removeRepository = async (
  db: Db,
  { clientId, repositoryIds }: { clientId: string; repositoryIds: readonly string[] },
): Promise<void> => {
  for (const repositoryId of repositoryIds) {
    await sql`
      delete from component_edges e using components c
      where c.client_id = ${clientId} and c.repository_id = ${repositoryId} and e.client_id = c.client_id and e.from_id = c.id
    `.execute(db);
    await sql`delete from components where client_id = ${clientId} and repository_id = ${repositoryId}`.execute(db);
    await licenseChecks.remove(db, { clientId, key: repositoryId });
    await versionLookups.remove(db, { clientId, key: repositoryId });
  }
};
