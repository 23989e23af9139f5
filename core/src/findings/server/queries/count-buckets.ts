import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { allOf, type Condition } from '../filter-conditions.ts';

/** Findings of one step of an order. */
export interface Bucket {
  /** A priority, or days since 1 January 2000 (UTC). */
  bucket: number;
  count: number;
}

/** Findings by priority or by day under conditions on dispositions `s`. Reads aggregate_buckets by primary key. */
export const countBuckets = async (
  db: Db,
  request: { clientId: string; field: 'priority' | 'date'; conditions: readonly Condition[] },
): Promise<Bucket[]> => {
  const { clientId } = request;
  const counted = await sql<Bucket>`
    select b.bucket, sum(b.count)::bigint as count
    from aggregate_buckets b join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = b.disposition
    where b.client_id = ${clientId} and b.field = ${request.field} and ${allOf(request.conditions)}
    group by b.bucket having sum(b.count) > 0`.execute(db);
  return counted.rows;
};
