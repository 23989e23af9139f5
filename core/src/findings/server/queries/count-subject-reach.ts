import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { allOf } from '../filter-conditions.ts';
import type { IdSet } from '../id-set.ts';

/** Findings of all subjects in the sets, whatever else the filter says. Reads finding_subject_state_counts by primary key. */
export const countSubjectReach = async (db: Db, request: { clientId: string; subjects: IdSet[] }): Promise<number> => {
  const sum = await sql<{ count: number }>`
    select coalesce(sum(n.count), 0)::bigint as count from finding_subject_state_counts n
    where n.client_id = ${request.clientId} and ${allOf(request.subjects.map((set) => sql<boolean>`n.subject_id = any(${set.array})`))}`.execute(
    db,
  );
  return sum.rows[0]?.count ?? 0;
};
