import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

export interface ExportedComponent {
  id: string;
  /** Digest of purl, else of group, name, version and type: the same in every inventory and application. */
  digest: string;
  name: string;
  version: string | null;
  group_name: string | null;
  purl: string | null;
  type: string | null;
  licenses: string[];
  description: string | null;
  direct: boolean | null;
}

export interface ExportPage {
  clientId: string;
  repositoryId: string;
  /** Digest of the last component of the page before; absent for the first. */
  after: string | undefined;
  limit: number;
}

const FIRST = '00000000-0000-0000-0000-000000000000';

/** The next rows of an application's inventories by digest, the newest first where several list the same. Walks components_for_export. */
export const exportComponents = async (db: Db, page: ExportPage): Promise<ExportedComponent[]> => {
  const { rows } = await sql<ExportedComponent>`
    select id, digest, name, version, group_name, purl, type, licenses, description, direct
    from components
    where client_id = ${page.clientId} and repository_id = ${page.repositoryId} and removed_at is null and digest > ${page.after ?? FIRST}
    order by digest, last_seen desc, id
    limit ${page.limit}
  `.execute(db);
  return rows;
};
