import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

export interface OpenCount {
  repository_id: string;
  /** 4 critical to 0 informational. */
  severity: number;
  count: number;
}

/** Open findings of the given repositories by severity. Reads only the rollup. */
export const countOpenByRepository = async (
  db: Db,
  request: { clientId: string; repositoryIds: string[] },
): Promise<OpenCount[]> => {
  if (request.repositoryIds.length === 0) return [];
  const { rows } = await sql<OpenCount>`
    select k.repository_id, k.severity, sum(c.count)::bigint as count
    from finding_kinds k
    join finding_counts c on c.client_id = k.client_id and c.kind = k.kind
    join finding_states s on s.client_id = c.client_id and s.state = c.state
    where k.client_id = ${request.clientId} and k.repository_id = any(${request.repositoryIds}::uuid[]) and s.is_open
    group by k.repository_id, k.severity
  `.execute(db);
  return rows;
};
