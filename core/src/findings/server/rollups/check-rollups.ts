import { CompiledQuery } from 'kysely';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';

/** A table of core/schema/aggregates.sql, and the view of rollups.sql that counts the same from the findings. */
interface Rollup {
  table: string;
  truth: string;
  /** The key besides the client. */
  keys: readonly string[];
  /** What is counted; absent in the dictionaries of sources and dispositions. */
  value?: 'count' | 'delta';
  /** Further columns, which follow from the key. */
  attributes?: readonly string[];
  /** Dictionaries keep what no finding has any longer, because history refers to it. */
  mayKeepMore?: boolean;
}

/** In the order in which they are rebuilt: `aggregate_days` sums what `aggregate_changes` says. */
const ROLLUPS: readonly Rollup[] = [
  {
    table: 'aggregate_sources',
    truth: 'rollup_truth_sources',
    keys: ['source'],
    attributes: ['repository_id', 'tool', 'type', 'category', 'language', 'severity', 'kev', 'has_cvss', 'has_epss'],
    mayKeepMore: true,
  },
  {
    table: 'aggregate_dispositions',
    truth: 'rollup_truth_dispositions',
    keys: ['disposition'],
    attributes: [
      ...['status', 'verdict', 'is_duplicate', 'is_subfinding', 'issue_owner', 'developers', 'review_requested_by_id'],
      'is_open',
    ],
    mayKeepMore: true,
  },
  {
    table: 'aggregate_cells',
    truth: 'rollup_truth_cells',
    keys: ['cell'],
    value: 'count',
    attributes: ['source', 'disposition'],
  },
  {
    table: 'aggregate_definitions',
    truth: 'rollup_truth_definitions',
    keys: ['definition_id', 'cell'],
    value: 'count',
  },
  {
    table: 'aggregate_definition_dispositions',
    truth: 'rollup_truth_definition_dispositions',
    keys: ['definition_id', 'disposition'],
    value: 'count',
  },
  { table: 'aggregate_files', truth: 'rollup_truth_files', keys: ['file_id', 'disposition'], value: 'count' },
  { table: 'aggregate_extensions', truth: 'rollup_truth_extensions', keys: ['extension', 'cell'], value: 'count' },
  {
    table: 'aggregate_buckets',
    truth: 'rollup_truth_buckets',
    keys: ['field', 'bucket', 'disposition'],
    value: 'count',
  },
  { table: 'aggregate_dates', truth: 'rollup_truth_dates', keys: ['cell', 'day'], value: 'count' },
  { table: 'aggregate_changes', truth: 'rollup_truth_changes', keys: ['source', 'disposition'], value: 'delta' },
  {
    table: 'aggregate_days',
    truth: 'rollup_truth_days',
    keys: ['field', 'day', 'severity', 'type', 'disposition'],
    value: 'count',
  },
];

/** What the table holds, as the truth has it: changes of all days together, because past days cannot be counted from findings. */
const storedRows = ({ table, keys }: Rollup): string =>
  table === 'aggregate_changes'
    ? `select ${keys.join(', ')}, sum(delta)::bigint as delta from ${table} where client_id = $1
       group by ${keys.join(', ')} having sum(delta) <> 0`
    : `select * from ${table} where client_id = $1`;

/** Rows of a table that are wrong: their key, the right attributes, `stored` and `counted`. `$1`: the client. */
const differences = (rollup: Rollup): string => {
  const { keys, value, attributes = [] } = rollup;
  const [key = ''] = keys;
  const wrong = [
    ...(rollup.mayKeepMore === true ? [`s.${key} is null`] : [`s.${key} is null or t.${key} is null`]),
    ...(value === undefined ? [] : [`s.${value} <> t.${value}`]),
    ...attributes.map((name) => `t.${key} is not null and s.${name} is distinct from t.${name}`),
    ...(rollup.table === 'aggregate_sources'
      ? ['s.priority_low > t.priority_low or s.priority_high < t.priority_high']
      : []),
  ];
  const counts =
    value === undefined
      ? ''
      : `, coalesce(s.${value}, 0)::bigint as stored, coalesce(t.${value}, 0)::bigint as counted`;
  const bounds = rollup.table === 'aggregate_sources' ? ', t.priority_low, t.priority_high' : '';
  return `select ${keys.join(', ')}${attributes.map((name) => `, t.${name}`).join('')}${bounds}${counts}
    from (${storedRows(rollup)}) s full join (select * from ${rollup.truth} where client_id = $1) t using (${keys.join(', ')})
    where ${wrong.map((condition) => `(${condition})`).join(' or ')}`;
};

/** What a row that differs gains; the same statement finds it and writes it, so that no change between the two is lost. */
const repair = (rollup: Rollup): string => {
  const { table, keys, value, attributes = [] } = rollup;
  if (table === 'aggregate_changes') {
    return `insert into ${table} as t (client_id, day, ${keys.join(', ')}, delta)
      select $1, (now() at time zone 'UTC')::date, ${keys.join(', ')}, counted - stored from (${differences(rollup)}) d
      on conflict (client_id, day, ${keys.join(', ')}) do update set delta = t.delta + excluded.delta`;
  }
  const bounds = table === 'aggregate_sources' ? ['priority_low', 'priority_high'] : [];
  const kept = [...attributes, ...bounds];
  const columns = [...keys, ...kept];
  const set = [
    ...attributes.map((name) => `${name} = coalesce(excluded.${name}, t.${name})`),
    ...(value === undefined ? [] : [`${value} = t.${value} + excluded.${value}`]),
    ...(bounds.length === 0
      ? []
      : [
          'priority_low = least(t.priority_low, excluded.priority_low)',
          'priority_high = greatest(t.priority_high, excluded.priority_high)',
        ]),
  ];
  // a cell that has no finding has no dimensions either: it is only counted down
  const source = attributes.includes('source')
    ? `select ${keys.join(', ')}, coalesce(d.source, n.source) as source, coalesce(d.disposition, n.disposition) as disposition,
         d.stored, d.counted
       from (${differences(rollup)}) d left join ${table} n using (${keys.join(', ')}) where n.client_id = $1 or n.client_id is null`
    : differences(rollup);
  return `insert into ${table} as t (client_id, ${columns.join(', ')}${value === undefined ? '' : `, ${value}`})
    select $1, ${columns.join(', ')}${value === undefined ? '' : ', counted - stored'} from (${source}) d
    order by ${keys.join(', ')}
    on conflict (client_id, ${keys.join(', ')}) do update set ${set.join(', ')}`;
};

/** Statements that make every rollup of the client `$1` right, for who has a connection of the owner. Each may be run alone and again. */
export const rollupRepairs = (): string[] =>
  ROLLUPS.flatMap((rollup) => [
    repair(rollup),
    ...(rollup.value === undefined ? [] : [`delete from ${rollup.table} where client_id = $1 and ${rollup.value} = 0`]),
  ]);

/** Statements that list what is wrong in the rollups of the client `$1`, by table. */
export const rollupDifferences = (): { table: string; statement: string }[] =>
  ROLLUPS.map((rollup) => ({ table: rollup.table, statement: differences(rollup) }));

/** One wrong row: its key and attributes, `stored` and `counted`. */
export interface RollupDifference {
  table: string;
  row: Record<string, unknown>;
}

const run = async (db: Db, clientId: string, statement: string): Promise<Record<string, unknown>[]> => {
  const { rows } = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(statement, [clientId]));
  return rows;
};

const MOST_SHOWN = 20;

/** What differs between the rollups of a client and its findings, at most 20 rows a table. One statement a table. */
export const checkRollups = async (database: DatabaseHandle, clientId: string): Promise<RollupDifference[]> => {
  const found: RollupDifference[] = [];
  for (const { table, statement } of rollupDifferences()) {
    const rows = await database.forClient(clientId, (db) => run(db, clientId, `${statement} limit ${MOST_SHOWN}`));
    found.push(...rows.map((row) => ({ table, row })));
  }
  return found;
};

/**
 * Makes the rollups of a client right while it is in use: each statement is a transaction of its own that adds to every row what
 * it lacks, so changes made meanwhile are neither lost nor counted twice.
 */
export const rebuildRollups = async (database: DatabaseHandle, clientId: string): Promise<void> => {
  for (const statement of rollupRepairs()) await database.forClient(clientId, (db) => run(db, clientId, statement));
};
