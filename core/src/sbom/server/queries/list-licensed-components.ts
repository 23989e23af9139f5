import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { LicensedComponent } from '../../model/license-finding.ts';

const MAX_VERSIONS = 20;

/** What an application's inventories say of licences, each name with the same licences once. Index: components_of_repository. */
export const listLicensedComponents = async (
  db: Db,
  { clientId, repositoryId }: { clientId: string; repositoryId: string },
): Promise<LicensedComponent[]> => {
  const { rows } = await sql<LicensedComponent>`
    select min(name) as name, min(group_name) as "group", ecosystem, licenses,
      (array_agg(distinct version order by version) filter (where version is not null))[1:${sql.lit(MAX_VERSIONS)}] as versions
    from components
    where client_id = ${clientId} and repository_id = ${repositoryId} and removed_at is null and type is distinct from 'file'
    group by full_name, ecosystem, licenses
    order by full_name, ecosystem, licenses`.execute(db);
  return rows.map((row) => ({ ...row, versions: row.versions ?? [] }));
};
