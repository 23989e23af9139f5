import type { FindingType } from '@breakwater/sdk';
import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { ownedRepositories, type Viewer } from '../filter/viewer.ts';

/** What one tool has reported of one family. */
export interface ReportedFamily {
  tool: string;
  /** Of findings that it ever brought; null where it never brought one. */
  family: FindingType | null;
  /** When a report of the tool was last imported. */
  lastSeen: Date;
  /** In how many repositories. */
  repositories: number;
}

/**
 * Tools whose reports of default branches were imported, with the families of what they found, in the repositories that the viewer reads
 * whole. Reads scan_scopes and aggregate_sources by client.
 */
export const readReportedFamilies = async (db: Db, viewer: Viewer): Promise<ReportedFamily[]> => {
  const { clientId } = viewer;
  const owned = viewer.seesAll ? sql`true` : sql`o.repository_id = any(${ownedRepositories(viewer)})`;
  const found = await sql<ReportedFamily>`
    select o.tool, k.type as family, max(o.last_seen_at) as "lastSeen", count(distinct o.repository_id)::integer as repositories
    from scan_scopes o
    left join (select distinct repository_id, tool, type from aggregate_sources where client_id = ${clientId}) k
      on k.repository_id = o.repository_id and k.tool = o.tool
    where o.client_id = ${clientId} and o.branch_id is null and o.last_seen_at is not null and ${owned}
    group by 1, 2`.execute(db);
  return found.rows;
};
