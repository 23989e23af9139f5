import { sql } from 'kysely';
import { removeRepository as removeFindings } from '../../../findings/server/index.ts';
import type { RepositoryRemoval } from '../../../repositories/server/index.ts';
import { removeRepository as removeComponents } from '../../../sbom/server/index.ts';

/** Scans, the reports that nothing else uses, and what people decided on correlation. */
const removeScans: RepositoryRemoval = async (db, { clientId, repositoryIds }) => {
  for (const repositoryId of repositoryIds) {
    await sql`
      delete from correlation_overrides where client_id = ${clientId} and repository_id = ${repositoryId}`.execute(db);
    await sql`delete from scans where client_id = ${clientId} and repository_id = ${repositoryId}`.execute(db);
  }
  await sql`
    delete from reports r where r.client_id = ${clientId}
      and not exists (select from scans s where s.client_id = r.client_id and s.report_id = r.id)`.execute(db);
};

/** Removes all that imports wrote of a repository: what came of a scan before the scan. */
export const importRemovals: readonly RepositoryRemoval[] = [removeFindings, removeComponents, removeScans];
