import type pg from 'pg';
import { fieldTypes } from '../../model/reported-fields.ts';

/**
 * Every temporary table of an import or of a correlation by hand, with its columns. The steps of a merge hand their results to each
 * other in these. All are dropped when the transaction ends, and two imports never see each other's.
 */
const TABLES = {
  /** Results of the report, numbered in its order. */
  stage_findings: {
    ...{ n: 'integer not null', id: 'uuid not null', identity: 'uuid not null', content: 'uuid not null' },
    ...{ definition_n: 'integer not null', file_n: 'integer', is_vague: 'boolean not null', date: 'timestamptz' },
    ...fieldTypes('findings'),
    ...fieldTypes('finding_locations'),
  },
  /** Results that were equal to a known finding while the report was read. */
  stage_equal: {
    ...{ n: 'integer not null', id: 'uuid not null', identity: 'uuid not null', content: 'uuid not null' },
    ...fieldTypes('finding_locations'),
  },
  /** Results that were equal to a known finding but for their lines. */
  stage_moved: {
    ...{ n: 'integer not null', id: 'uuid not null', identity: 'uuid not null', content: 'uuid not null' },
    ...fieldTypes('finding_locations'),
  },
  stage_details: { n: 'integer not null', id: 'uuid not null', ...fieldTypes('finding_details') },
  /** `id` is found by the merge. */
  stage_definitions: {
    ...{ n: 'integer not null', digest: 'uuid not null' },
    ...fieldTypes('finding_definitions'),
    id: 'bigint',
  },
  stage_policies: { definition_n: 'integer not null', policy: 'jsonb not null' },
  /** `id` is found by the merge. */
  stage_files: { n: 'integer not null', path: 'text not null', id: 'bigint' },
  stage_components: {
    ...{ n: 'integer not null', id: 'uuid not null', digest: 'uuid not null', name: 'text not null', version: 'text' },
    ...{ group_name: 'text', purl: 'text', ecosystem: 'text', type: 'text', licenses: 'text[] not null' },
    ...{ license_class: 'text not null', description: 'text', direct: 'boolean' },
  },
  stage_edges: { from_n: 'integer not null', to_ref: 'text not null' },
  stage_refs: { ref: 'text not null', n: 'integer not null' },
  /** Which result continues which finding of the scope. */
  pairs: { n: 'integer not null', id: 'uuid not null' },
  /** Those of them that only their position tells, of findings with a verdict. */
  position_pairs: { n: 'integer not null', id: 'uuid not null' },
  /** Findings that the merge may change or close, locked until it ends. */
  locked_findings: { id: 'uuid not null' },
  /** Findings in pairs that have to be written. */
  changes: {
    ...{
      n: 'integer',
      id: 'uuid',
      is_changed: 'boolean',
      was_closed: 'boolean',
      verdict: 'text',
      is_expired: 'boolean',
    },
    ...{ is_back: 'boolean', new_ordinal: 'bigint', takes_verdict: 'boolean' },
  },
  /** Findings in pairs that stand elsewhere now. `n`: of the staged result, which only those have whose other places have to be written. */
  moved: { n: 'integer', id: 'uuid not null', start_line: 'integer', end_line: 'integer', places: 'uuid' },
  /** Findings that the report no longer has. */
  gone: { id: 'uuid', file_id: 'bigint', definition_id: 'bigint', status: 'text' },
  /** Results that continue no finding, with what correlation needs of them under the names of `findings`. */
  new_findings: {
    ...{ id: 'uuid', severity: 'smallint', verdict: 'text', first_scan_id: 'uuid', is_duplicate: 'boolean' },
    ...{ duplicate_of: 'uuid', duplicate_certainty: 'smallint', file_id: 'bigint', definition_id: 'bigint' },
    ...{ package_key: 'uuid', tool: 'text', type: 'text', start_line: 'integer', end_line: 'integer' },
    ...{ start_column: 'integer', end_column: 'integer' },
  },
  /** Ordinals of new results that share their identity with another. */
  ordinals: { n: 'integer', ordinal: 'bigint' },
  /** Decisions of people about findings of other branches. */
  decided: {
    ...{ id: 'uuid', scope_id: 'bigint', identity: 'uuid', verdict: 'text', verdict_expires_at: 'timestamptz' },
    ...{ issue_owner: 'uuid', actor: 'uuid', at: 'timestamptz', verdict_reason: 'text', notes: 'text' },
  },
  /** Which new result takes over which of these decisions. */
  carried_over: {
    ...{ n: 'integer not null', from_id: 'uuid not null', branch: 'text not null', is_by_position: 'boolean not null' },
  },
  /** Files and packages whose findings have to be correlated anew. */
  touched: { file_id: 'bigint', package_key: 'uuid' },
  component_ids: { n: 'integer', id: 'uuid' },
  edges: { from_id: 'uuid', to_id: 'uuid' },
} as const;

export type TemporaryTable = keyof typeof TABLES;
export type TemporaryColumn<Table extends TemporaryTable> = keyof (typeof TABLES)[Table] & string;

/** Statement that creates an empty table, to be dropped at the end of the transaction. */
export const createTable = (table: TemporaryTable): string => {
  const columns = Object.entries<string>(TABLES[table]).map(([name, type]) => `${name} ${type}`);
  return `create temp table ${table} (${columns.join(', ')}) on commit drop`;
};

/** Columns of a table in their declared order, which is that of COPY. */
export const columnsOf = (table: TemporaryTable): string[] => Object.keys(TABLES[table]);

/** Statement that fills a table: an SQL expression for each of its columns, and the rest of the query. `with` goes before the insert. */
export const fillTable = <Table extends TemporaryTable>(
  table: Table,
  expressions: Readonly<Record<TemporaryColumn<Table>, string>>,
  rest: string,
): string => {
  const list = Object.entries<string>(expressions);
  return `insert into ${table} (${list.map(([name]) => name).join(', ')}) select ${list.map(([, text]) => text).join(', ')} ${rest}`;
};

/** Creates a table and fills it by a statement of `fillTable`. @returns the number of rows. */
export const createFilled = async (
  client: pg.ClientBase,
  table: TemporaryTable,
  fill: string,
  values: readonly unknown[],
): Promise<number> => {
  await client.query(createTable(table));
  return (await client.query(fill, [...values])).rowCount ?? 0;
};
