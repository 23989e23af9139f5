import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { allOf, type Condition } from '../filter/conditions.ts';
import type { AggregateBucketsTable } from '../tables.ts';

/** Counts that say where in an order a page begins: fields of aggregate_buckets, and the step that a bucket stands for. */
export interface OrderBuckets {
  fields: readonly AggregateBucketsTable['field'][];
  /** On findings `f`; the index of the order has them in a row. */
  within(bucket: number): Condition;
}

export const PRIORITIES: OrderBuckets = {
  fields: ['priority'],
  // whole points, as priority_points() counts
  within: (bucket) => sql<boolean>`f.priority >= ${bucket}::real and f.priority < ${bucket + 1}::real`,
};

/** Days since 1 January 2000 (UTC). */
export const DAYS: OrderBuckets = {
  fields: ['date'],
  within: (bucket) => sql<boolean>`f.date >= (date '2000-01-01' + ${bucket}::integer)::timestamp at time zone 'UTC'
    and f.date < (date '2000-01-01' + ${bucket}::integer + 1)::timestamp at time zone 'UTC'`,
};

const between = (column: string, from: number, to: number): Condition =>
  sql<boolean>`${sql.ref(column)} >= ${from}::float8 and ${sql.ref(column)} < ${to}::float8`;

/** As cvss_bucket() counts. */
export const CVSS_TENTHS: OrderBuckets = {
  fields: ['cvss'],
  within: (bucket) => between('f.cvss', bucket / 10, (bucket + 1) / 10),
};

const epssFrom = (bucket: number): number => (bucket <= 100 ? bucket / 10_000 : (bucket - 100) / 100);

/** As epss_bucket() counts: steps of 0.0001 up to 0.01, from there hundredths. */
export const EPSS_STEPS: OrderBuckets = {
  fields: ['epss'],
  within: (bucket) => between('f.epss', epssFrom(bucket), epssFrom(bucket + 1)),
};

/** The milliseconds are the first 48 bits. */
const firstIdOf = (second: number): string => {
  const digits = (second * 1000).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
};

/** Seconds in which ids were made, as id_bucket() counts, of the findings that id_field() has in these fields. */
export const secondsOf = (...fields: ('id' | 'id_cvss' | 'id_epss' | 'id_both')[]): OrderBuckets => ({
  fields,
  within: (bucket) => sql<boolean>`f.id >= ${firstIdOf(bucket)}::uuid and f.id < ${firstIdOf(bucket + 1)}::uuid`,
});

/** Findings by step of an order under conditions on dispositions `s`. Reads aggregate_buckets by primary key. */
export const countBuckets = async (
  db: Db,
  request: { clientId: string; buckets: OrderBuckets; conditions: readonly Condition[] },
): Promise<{ bucket: number; count: number }[]> => {
  const { clientId } = request;
  const counted = await sql<{ bucket: number; count: number }>`
    select b.bucket, sum(b.count)::bigint as count
    from aggregate_buckets b join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = b.disposition
    where b.client_id = ${clientId} and b.field = any(${[...request.buckets.fields]}::text[]) and ${allOf(request.conditions)}
    group by b.bucket having sum(b.count) > 0 order by b.bucket`.execute(db);
  return counted.rows;
};
