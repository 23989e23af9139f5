import { SEVERITIES } from '@breakwater/sdk';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../platform/server/database.ts';
import type { ReferenceData } from '../../../prioritisation/server/index.ts';
import {
  type AttributeKey,
  type AttributeValues,
  isStored,
  type RowKey,
  type StoredKey,
  valueKind,
} from '../../model/column-catalogue.ts';
import { FINDING_ATTRIBUTES } from '../../model/finding-attributes.ts';
import { DEFAULT_SLA_DAYS } from '../../model/sla.ts';
import { policySql, remediationSql } from '../filter/value-sql.ts';

/** A row of the list, as on the wire. */
export type FindingRowAttributes = Pick<AttributeValues, RowKey>;

/** All that can be read of a finding, as stored: code is no base64, and times are text that `isoTime` completes. */
export type StoredAttributes = AttributeValues;
export type RowAttribute = AttributeKey;

/** Dictionaries beside findings `f`; those of branches `b` come with repositories. */
type Source =
  | 'definition'
  | 'repository'
  | 'file'
  | 'scope'
  | 'owner'
  | 'details'
  | 'location'
  | 'package_use'
  | 'assessment';

interface Attribute {
  value: RawBuilder<unknown> | ((reference: ReferenceData) => RawBuilder<unknown>);
  source?: Source;
}

/** Aliases of the tables that attributes are read from, and the joins that bring them. */
const TABLES = {
  findings: { alias: 'f' },
  finding_definitions: { alias: 'x', source: 'definition' },
  finding_locations: { alias: 'l', source: 'location' },
  finding_details: { alias: 'd', source: 'details' },
  finding_files: { alias: 'p', source: 'file' },
  repositories: { alias: 'r', source: 'repository' },
  repository_branches: { alias: 'b', source: 'repository' },
  users: { alias: 'w', source: 'owner' },
  package_uses: { alias: 'u', source: 'package_use' },
  finding_assessments: { alias: 'm', source: 'assessment' },
} as const satisfies Partial<Record<keyof Database, { alias: string; source?: Source }>>;
type Table = keyof typeof TABLES;
/** `table.column`, of a table and a column that exist. */
type StoredName = { [Name in Table]: `${Name}.${keyof Database[Name] & string}` }[Table];

const isTable = (name: string | undefined): name is Table => name !== undefined && name in TABLES;

const said = (value: RawBuilder<unknown>): Attribute => ({ value });

const policyOf = (field: 'name' | 'category' | 'control'): Attribute => ({
  value: (reference) => policySql(field, reference),
  source: 'definition',
});

/** PostgreSQL's arrays are slow to read in JavaScript, its JSON is not. */
const listOf = (list: RawBuilder<unknown>): RawBuilder<unknown> => sql`to_json(coalesce(${list}, '{}'))`;
/** In the order of their stored numbers. */
const RANKED = [...SEVERITIES].reverse();
const SEVERITY_WORD = sql`(array[${sql.join(RANKED.map((word) => sql.lit(word)))}])[f.severity + 1]`;
/** As text: a JavaScript date for each would cost more than the rest of the row. */
const timeOf = (time: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${time} at time zone 'UTC')::text`;

/** Read once a statement. */
const SLA_DAYS = sql`coalesce(
  (select array[l.informational, l.low, l.medium, l.high, l.critical] from sla_days l where l.client_id = current_client()),
  ${RANKED.map((severity) => DEFAULT_SLA_DAYS[severity])}::integer[])`;
/** The time that the due date counts from. Read once a statement. */
const DUE_START = sql`case (select l.starts from sla_days l where l.client_id = current_client()) when 'found' then f.first_seen else f.date end`;
const DUE_FROM = sql`(${DUE_START} at time zone 'UTC')::date`;
const DAYS_ALLOWED = sql`(${SLA_DAYS})[f.severity + 1]`;
const DUE_DATE = sql`case when f.is_open then (${DUE_FROM} + ${DAYS_ALLOWED})::text end`;
const DUE_FROM_DAY = sql`case when f.is_open and ${DAYS_ALLOWED} is not null then ${DUE_FROM}::text end`;

/** What is more than a column of a table. */
const COMPUTED: Readonly<Record<Exclude<AttributeKey, StoredKey>, Attribute>> = {
  severity: said(SEVERITY_WORD),
  language: said(sql`nullif(f.language, '')`),
  policy_name: policyOf('name'),
  policy_category: policyOf('category'),
  policy_control: policyOf('control'),
  remediation_type: said(remediationSql('f.status')),
  false_positive: said(sql`(f.verdict = 'false_positive')`),
  is_duplicate: said(sql`(f.is_duplicate or f.verdict = 'duplicate')`),
  review_requested: said(sql`(f.review_requested_by_id is not null)`),
  due_date: said(DUE_DATE),
  due_from: said(DUE_FROM_DAY),
  last_seen: { value: timeOf(sql`coalesce(f.last_seen, o.last_seen_at, f.first_seen)`), source: 'scope' },
};

const LISTS: readonly unknown[] = ['texts', 'integers', 'ids'];

const storedAttribute = (key: AttributeKey & StoredKey): Attribute => {
  const name: StoredName = FINDING_ATTRIBUTES[key].stored;
  const [table, column] = name.split('.');
  if (!isTable(table)) throw new Error(`No join brings ${name}`);
  const { alias, source }: { alias: string; source?: Source } = TABLES[table];
  const kind = valueKind(key);
  const reference = sql.ref(`${alias}.${column}`);
  const value = LISTS.includes(kind) ? listOf(reference) : kind === 'time' ? timeOf(reference) : reference;
  return source === undefined ? { value } : { value, source };
};

const attributeOf = (key: AttributeKey): Attribute => (isStored(key) ? storedAttribute(key) : COMPUTED[key]);

const JOINS: Readonly<Record<Source, (clientId: string) => RawBuilder<unknown>>> = {
  definition: (id) => sql`join finding_definitions x on x.client_id = ${id} and x.id = f.definition_id`,
  repository: (id) => sql`left join repository_branches b on b.client_id = ${id} and b.id = f.repository_id
    join repositories r on r.client_id = ${id} and r.id = coalesce(b.repository_id, f.repository_id)`,
  file: (id) => sql`left join finding_files p on p.client_id = ${id} and p.id = f.file_id`,
  scope: (id) => sql`left join scan_scopes o on o.client_id = ${id} and o.id = f.scope_id`,
  owner: (id) => sql`left join users w on w.client_id = ${id} and w.id = f.issue_owner`,
  location: (id) => sql`left join finding_locations l on l.client_id = ${id} and l.finding_id = f.id`,
  package_use: (id) => sql`left join package_uses u on u.client_id = ${id} and u.definition_id = f.definition_id
    and u.repository_id = coalesce(
      (select y.repository_id from repository_branches y where y.client_id = ${id} and y.id = f.repository_id), f.repository_id)`,
  assessment: (id) => sql`left join finding_assessments m on m.client_id = ${id} and m.finding_id = f.id
    and m.state = 'proposed'`,
  details: (id) => sql`left join finding_details d on d.client_id = ${id} and d.finding_id = f.id`,
};

/** `name` of each attribute with what it is read from. */
export const selectedAttributes = (names: readonly RowAttribute[], reference: ReferenceData): RawBuilder<unknown> =>
  sql.join(
    names.map((name) => {
      const { value } = attributeOf(name);
      return sql`${typeof value === 'function' ? value(reference) : value} as ${sql.ref(name)}`;
    }),
  );

/** Joins to findings `f` that the attributes need, and no other. */
export const joinsOf = (names: readonly RowAttribute[], clientId: string): RawBuilder<unknown> => {
  const sources = new Set(names.flatMap((name) => attributeOf(name).source ?? []));
  return sql.join(
    [...sources].map((source) => JOINS[source](clientId)),
    sql` `,
  );
};

/** `2026-11-22 09:30:00.5` as `2026-11-22T09:30:00.500Z`. */
export const isoTime = (time: string): string =>
  `${time.slice(0, 10)}T${time.slice(11, 19)}.${time.slice(20, 23).padEnd(3, '0')}Z`;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/**
 * The row as on the wire: times completed, code as base64. It is changed itself: building another object of fifty attributes takes
 * longer than all the rest.
 */
export const toWire = <Row extends Partial<StoredAttributes>>(row: Row): Row => {
  if (row.date !== undefined) row.date = isoTime(row.date);
  if (row.first_seen !== undefined) row.first_seen = isoTime(row.first_seen);
  if (row.last_seen !== undefined) row.last_seen = isoTime(row.last_seen);
  if (typeof row.scanner_report_code === 'string') row.scanner_report_code = base64(row.scanner_report_code);
  return row;
};
