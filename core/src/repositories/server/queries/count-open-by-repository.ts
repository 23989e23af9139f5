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
    from aggregate_sources k
    join aggregate_cells c on c.client_id = k.client_id and c.source = k.source
    join aggregate_dispositions s on s.client_id = c.client_id and s.disposition = c.disposition
    where k.client_id = ${request.clientId} and k.repository_id = any(${request.repositoryIds}::uuid[]) and s.is_open
    group by k.repository_id, k.severity
  `.execute(db);
  return rows;
};
