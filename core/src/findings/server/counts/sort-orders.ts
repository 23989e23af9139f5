import { type RawBuilder, sql } from 'kysely';
import { FINDING_STATUSES, VERDICTS } from '../../model/states.ts';
import type { Condition } from '../filter/conditions.ts';
import { CVSS_TENTHS, DAYS, EPSS_STEPS, type OrderBuckets, PRIORITIES, secondsOf } from './order-buckets.ts';

/** Orders by what cells know, then by priority. */
export type RankedField = 'status' | 'verdict' | 'type' | 'tool' | 'category' | 'language' | 'repository' | 'kev';

const position = (list: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`coalesce(array_position(${list}, ${value}), 0)`;

/** All values of the client in the order of their letters, read once a query: aggregate_sources has some thousand rows. */
const valuesOf = (column: 'type' | 'tool' | 'category' | 'language'): RawBuilder<unknown> => sql`(
  select array_agg(d.value order by lower(d.value) collate "C", d.value collate "C")
  from (select distinct x.${sql.ref(column)} as value from aggregate_sources x where x.client_id = current_client()) d)`;

const REPOSITORIES = sql`(select array_agg(r.id order by lower(r.nickname) collate "C", r.id) from repositories r where r.client_id = current_client())`;

/** A repository, or that of a branch, whose id stands in its place. */
const repositoryOf = (column: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce(
  (select b.repository_id from repository_branches b where b.client_id = current_client() and b.id = ${column}), ${column})`;

/** Place of a value among all, from 1; statuses and verdicts as work goes on, the rest by letters. `k` and `s` name the tables of sources and dispositions. */
export const rankOf = (field: RankedField, source: 'k' | 'f', disposition: 's' | 'f'): RawBuilder<number> => {
  switch (field) {
    case 'status':
      return position(sql`${[...FINDING_STATUSES]}::text[]`, sql.ref(`${disposition}.status`));
    case 'verdict':
      return position(sql`${[...VERDICTS]}::text[]`, sql.ref(`${disposition}.verdict`));
    case 'kev':
      return sql<number>`${sql.ref(`${source}.kev`)}::integer`;
    case 'repository':
      return position(REPOSITORIES, repositoryOf(sql.ref(`${source}.repository_id`)));
    default:
      return position(valuesOf(field), sql.ref(`${source}.${field}`));
  }
};

/** Orders of the list, as on the wire. */
export type SortField =
  | 'priority'
  | 'severity'
  | 'date'
  | 'first_seen'
  | 'cvssv3_score'
  | 'estimated_epss'
  | '_id'
  | RankedField;
export type Direction = 'asc' | 'desc';

/** What divides a list into runs that each have an index in their order. */
export type SegmentKey = 'all' | 'severity' | 'has_cvss' | 'has_epss' | RankedField;

/** Index orders of findings `f`. All end in the id, which breaks ties. */
interface IndexOrder {
  columns: readonly string[];
  /** Needed to use a partial index. */
  condition?: Condition;
}

const BY_ID: IndexOrder = { columns: ['f.id'] };
const BY_PRIORITY: IndexOrder = { columns: ['f.priority', 'f.id'] };
const BY_DATE: IndexOrder = { columns: ['f.date', 'f.id'] };
const BY_FIRST_SEEN: IndexOrder = { columns: ['f.first_seen', 'f.id'] };
const BY_CVSS: IndexOrder = { columns: ['f.cvss', 'f.id'], condition: sql<boolean>`f.cvss is not null` };
const BY_EPSS: IndexOrder = { columns: ['f.epss', 'f.id'], condition: sql<boolean>`f.epss is not null` };

interface SortOrder {
  segments: SegmentKey;
  /** Counts of the steps of a segment; none where sources divide the list, which those counts do not know. */
  bucketsOf?(value: number): OrderBuckets;
  /** Index that has a segment in order. `value` is the segment's: a severity, or 1 and 0. */
  indexOf(value: number): IndexOrder;
  /** The whole order, for rows sorted in memory. */
  columns: readonly string[];
  /** Findings without a value come last in both directions. */
  isKnown?: Condition;
  /** Comes before the columns. */
  rank?: RawBuilder<number>;
}

/** A field that cells know: each of its values is a run by priority. */
const ranked = (key: RankedField): SortOrder => ({
  segments: key,
  indexOf: () => BY_PRIORITY,
  columns: BY_PRIORITY.columns,
  rank: rankOf(key, 'f', 'f'),
});

/** How each order is read; every index is findings_by_<order>, the last is the primary key. */
export const SORT_ORDERS: Readonly<Record<SortField, SortOrder>> = {
  priority: {
    segments: 'all',
    bucketsOf: () => PRIORITIES,
    indexOf: () => BY_PRIORITY,
    columns: BY_PRIORITY.columns,
  },
  severity: { segments: 'severity', indexOf: () => BY_PRIORITY, columns: ['f.severity', 'f.priority', 'f.id'] },
  date: { segments: 'all', bucketsOf: () => DAYS, indexOf: () => BY_DATE, columns: BY_DATE.columns },
  // no rollup counts its days: a page far down is reached through the index
  first_seen: { segments: 'all', indexOf: () => BY_FIRST_SEEN, columns: BY_FIRST_SEEN.columns },
  cvssv3_score: {
    segments: 'has_cvss',
    bucketsOf: (value) => (value === 1 ? CVSS_TENTHS : secondsOf('id', 'id_epss')),
    indexOf: (value) => (value === 1 ? BY_CVSS : BY_ID),
    columns: BY_CVSS.columns,
    isKnown: sql<boolean>`f.cvss is not null`,
  },
  estimated_epss: {
    segments: 'has_epss',
    bucketsOf: (value) => (value === 1 ? EPSS_STEPS : secondsOf('id', 'id_cvss')),
    indexOf: (value) => (value === 1 ? BY_EPSS : BY_ID),
    columns: BY_EPSS.columns,
    isKnown: sql<boolean>`f.epss is not null`,
  },
  _id: {
    segments: 'all',
    bucketsOf: () => secondsOf('id', 'id_cvss', 'id_epss', 'id_both'),
    indexOf: () => BY_ID,
    columns: BY_ID.columns,
  },
  status: ranked('status'),
  verdict: ranked('verdict'),
  type: ranked('type'),
  tool: ranked('tool'),
  category: ranked('category'),
  language: ranked('language'),
  repository: ranked('repository'),
  kev: ranked('kev'),
};

/** Number of the segment of a source `k`. */
export const SEGMENT_VALUES: Readonly<Record<SegmentKey, RawBuilder<number>>> = {
  all: sql<number>`0`,
  severity: sql<number>`k.severity`,
  has_cvss: sql<number>`k.has_cvss::integer`,
  has_epss: sql<number>`k.has_epss::integer`,
  status: rankOf('status', 'k', 's'),
  verdict: rankOf('verdict', 'k', 's'),
  type: rankOf('type', 'k', 's'),
  tool: rankOf('tool', 'k', 's'),
  category: rankOf('category', 'k', 's'),
  language: rankOf('language', 'k', 's'),
  repository: rankOf('repository', 'k', 's'),
  kev: rankOf('kev', 'k', 's'),
};

/** `order by` of columns, all in one direction. */
export const orderBy = (columns: readonly string[], direction: Direction): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql`${sql.ref(column)} ${sql.raw(direction)}`));
