// no text in this file: names of columns and when they change
/** PostgreSQL types of the columns that a report fills. */
export type FieldType =
  | 'text'
  | 'text[]'
  | 'integer'
  | 'integer[]'
  | 'smallint'
  | 'bigint'
  | 'real'
  | 'boolean'
  | 'uuid'
  | 'jsonb'
  | 'timestamptz';

/** Tables that share what a report says of one result. */
export type FieldTable = 'findings' | 'finding_locations' | 'finding_details' | 'finding_definitions';

/**
 * What becomes of a stored value when a later report says something else.
 * - `report`: the newest report counts.
 * - `unless_overridden`: the same, unless a person set the severity.
 * - `place`: the newest report counts, and where nothing else changed only these are written.
 * - `verdict`: only together with a verdict that the report may set.
 * - `never`: it belongs to people, or is part of what identifies the row.
 * - `public_data`: kept current by every import and by the feeds.
 */
export type UpdateRule = 'report' | 'place' | 'unless_overridden' | 'verdict' | 'never' | 'public_data';

export interface FindingField {
  type: FieldType;
  isRequired: boolean;
  update: UpdateRule;
}

/**
 * Every value that an import stores of a result: column by column, in the order of COPY. From it derive the staging tables, the lines
 * that are copied into them, and the lists of columns that the merge inserts and updates. The content digest of a result covers the
 * fields of `findings` and `finding_details` in this order: another order makes every stored finding count as changed once. It leaves out
 * what moves with the lines or differs in every scan: the fields of `finding_locations` and the `place` fields at the end of
 * `finding_details`, whose digest is `places`.
 */
export const FINDING_FIELDS = {
  findings: {
    severity: { type: 'smallint', isRequired: true, update: 'unless_overridden' },
    severity_numerical: { type: 'smallint', isRequired: true, update: 'unless_overridden' },
    priority: { type: 'real', isRequired: true, update: 'unless_overridden' },
    type: { type: 'text', isRequired: true, update: 'report' },
    category: { type: 'text', isRequired: true, update: 'report' },
    language: { type: 'text', isRequired: true, update: 'report' },
    verdict: { type: 'text', isRequired: true, update: 'verdict' },
    kev: { type: 'boolean', isRequired: true, update: 'report' },
    cvss: { type: 'real', isRequired: false, update: 'report' },
    epss: { type: 'real', isRequired: false, update: 'report' },
    start_column: { type: 'integer', isRequired: false, update: 'report' },
    end_column: { type: 'integer', isRequired: false, update: 'report' },
    tags: { type: 'text[]', isRequired: true, update: 'never' },
    effort_for_fixing: { type: 'smallint', isRequired: true, update: 'report' },
    exploitability: { type: 'smallint', isRequired: true, update: 'report' },
    impact: { type: 'smallint', isRequired: true, update: 'report' },
    is_language_estimated: { type: 'boolean', isRequired: true, update: 'report' },
  },
  finding_locations: {
    start_line: { type: 'integer', isRequired: false, update: 'report' },
    end_line: { type: 'integer', isRequired: false, update: 'report' },
    places: { type: 'uuid', isRequired: false, update: 'report' },
  },
  finding_details: {
    description: { type: 'text', isRequired: false, update: 'report' },
    mitigation: { type: 'text', isRequired: false, update: 'report' },
    code: { type: 'text', isRequired: false, update: 'report' },
    native_severity: { type: 'text', isRequired: false, update: 'report' },
    cvss_vector: { type: 'text', isRequired: false, update: 'report' },
    reference_urls: { type: 'text[]', isRequired: false, update: 'report' },
    resource: { type: 'text', isRequired: false, update: 'report' },
    policy: { type: 'jsonb', isRequired: false, update: 'report' },
    secret_hash: { type: 'text', isRequired: false, update: 'report' },
    priority_parts: { type: 'jsonb', isRequired: true, update: 'unless_overridden' },
    verdict_reason: { type: 'text', isRequired: false, update: 'verdict' },
    locations: { type: 'jsonb', isRequired: false, update: 'place' },
    code_flows: { type: 'jsonb', isRequired: false, update: 'place' },
    http_request: { type: 'text', isRequired: false, update: 'place' },
    http_response: { type: 'text', isRequired: false, update: 'place' },
    curl_command: { type: 'text', isRequired: false, update: 'place' },
  },
  finding_definitions: {
    tool: { type: 'text', isRequired: true, update: 'never' },
    rule_id: { type: 'text', isRequired: true, update: 'never' },
    title: { type: 'text', isRequired: true, update: 'never' },
    cve: { type: 'text', isRequired: false, update: 'never' },
    aliases: { type: 'text[]', isRequired: true, update: 'never' },
    cwe: { type: 'integer[]', isRequired: true, update: 'never' },
    component: { type: 'text', isRequired: false, update: 'never' },
    component_version: { type: 'text', isRequired: false, update: 'never' },
    fixed_version: { type: 'text', isRequired: false, update: 'never' },
    purl: { type: 'text', isRequired: false, update: 'never' },
    ecosystem: { type: 'text', isRequired: false, update: 'never' },
    package_key: { type: 'uuid', isRequired: false, update: 'never' },
    owasp_2021: { type: 'text', isRequired: false, update: 'public_data' },
    owasp_2025: { type: 'text', isRequired: false, update: 'public_data' },
    epss: { type: 'real', isRequired: false, update: 'public_data' },
    epss_percentile: { type: 'real', isRequired: false, update: 'public_data' },
    epss_date: { type: 'text', isRequired: false, update: 'public_data' },
    kev_added: { type: 'text', isRequired: false, update: 'public_data' },
    slsa_threats: { type: 'text[]', isRequired: true, update: 'public_data' },
    owasp_cicd: { type: 'text[]', isRequired: true, update: 'public_data' },
    reported_epss: { type: 'real', isRequired: false, update: 'public_data' },
    reported_epss_percentile: { type: 'real', isRequired: false, update: 'public_data' },
    reported_epss_date: { type: 'text', isRequired: false, update: 'public_data' },
    published_on: { type: 'text', isRequired: false, update: 'public_data' },
  },
} as const satisfies Readonly<Record<FieldTable, Readonly<Record<string, FindingField>>>>;

type Declared = typeof FINDING_FIELDS;

/** Names of the fields of one table; with `Rule`, of those that are updated by it. */
export type FieldName<Table extends FieldTable, Rule extends UpdateRule = UpdateRule> = {
  [Name in keyof Declared[Table]]: Declared[Table][Name] extends { update: Rule } ? Name : never;
}[keyof Declared[Table]];

/** Columns of one table, in the order of COPY; with rules, only those that are updated by one of them. */
export const fieldNames = (table: FieldTable, ...rules: readonly UpdateRule[]): string[] =>
  Object.entries<FindingField>(FINDING_FIELDS[table]).flatMap(([name, { update }]) =>
    rules.length === 0 || rules.includes(update) ? [name] : [],
  );

/** Columns of one table with their types, as `create table` takes them. */
export const fieldTypes = (table: FieldTable): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries<FindingField>(FINDING_FIELDS[table]).map(([name, { type, isRequired }]) => [
      name,
      `${type}${isRequired ? ' not null' : ''}`,
    ]),
  );

type StoredType<Type> = Type extends 'text' | 'uuid'
  ? string
  : Type extends 'text[]'
    ? string[]
    : Type extends 'integer[]'
      ? number[]
      : Type extends 'boolean'
        ? boolean
        : Type extends 'timestamptz'
          ? Date
          : Type extends 'jsonb'
            ? unknown
            : number;

/** Columns of one table as the driver reads them. */
export type StoredFields<Table extends FieldTable> = {
  [Name in keyof Declared[Table]]: Declared[Table][Name] extends { type: infer Type; isRequired: infer IsRequired }
    ? StoredType<Type> | (IsRequired extends true ? never : null)
    : never;
};
