import { type RawBuilder, sql } from 'kysely';
import { severityRank } from '../../../platform/model/severity.ts';
import { storable } from '../../../platform/server/database.ts';
import type { Frameworks, ReferenceData } from '../../../prioritisation/server/index.ts';
import type { FilterKey, FindingFilters, OptionKeysOf } from '../../model/filter-catalogue.ts';
import type { SlaRules } from '../../model/sla.ts';
import { STATUSES_OF_REMEDIATION, type Visibility } from '../../model/states.ts';
import type { Condition } from './conditions.ts';
import { matchesOf, ofControls } from './control-sql.ts';
import { inSlaStates, MITIGATION_SQL, policySql, remediationSql, VULNERABILITY_SQL } from './value-sql.ts';

/** What conditions and values depend on besides the filter. */
export interface SqlContext {
  reference: ReferenceData;
  frameworks: Frameworks;
  slaRules: SlaRules;
}

/** The values of a facet, and what to join for them. */
export interface OptionsSql {
  value: RawBuilder<string> | ((reference: ReferenceData) => RawBuilder<string>);
  join?: RawBuilder<unknown>;
}

/** SQL of one filter: on sources `k`, dispositions `s`, definitions `x` or findings `f`, as the catalogue says. */
export interface FilterSql<K extends FilterKey> {
  /** Undefined where the value asks for nothing. */
  where(value: NonNullable<FindingFilters[K]>, context: SqlContext): Condition | undefined;
  options?: OptionsSql;
}

type Words = readonly string[];

const among = (value: RawBuilder<string>, words: Words): Condition =>
  sql<boolean>`${value} = any(${storable(words)}::text[])`;
const amongIds = (column: string, ids: Words): Condition => sql<boolean>`${sql.ref(column)} = any(${[...ids]}::uuid[])`;

/** A column of text. */
const text = (column: string) => ({
  where: (words: Words) => among(sql.ref<string>(column), words),
  options: { value: sql.ref<string>(column) },
});
/** A column of an id. */
const id = (column: string) => ({
  where: (ids: Words) => amongIds(column, ids),
  options: { value: sql<string>`${sql.ref(column)}::text` },
});
/** A list in a definition. */
const list = (column: string) => ({
  where: (words: Words) => sql<boolean>`${sql.ref(column)} && ${storable(words)}::text[]`,
  options: { value: sql<string>`item.id`, join: sql`cross join lateral unnest(${sql.ref(column)}) item(id)` },
});
const policy = (field: 'name' | 'category' | 'control') => ({
  where: (words: Words, { reference }: SqlContext) => among(policySql(field, reference), words),
  options: { value: (reference: ReferenceData) => policySql(field, reference) },
});
const shown = (test: Condition) => ({
  where: (wanted: Visibility) => (wanted === 'show' ? undefined : wanted === 'only' ? test : sql<boolean>`not ${test}`),
});

/** Whether the default branch has the finding `f`: the same result of the same tool. Reads scan_scopes by primary key and findings_identity. */
const ON_DEFAULT_BRANCH = sql<boolean>`exists (
  select from scan_scopes o
  join scan_scopes d on d.client_id = o.client_id and d.repository_id = o.repository_id and d.tool = o.tool and d.branch_id is null
  join findings g on g.client_id = d.client_id and g.scope_id = d.id and g.identity = f.identity and g.ordinal = f.ordinal
  where o.client_id = f.client_id and o.id = f.scope_id)`;

/** Whether a source `k` is of repositories `r` that this is true of, or of branches of theirs. */
const ofRepositories = (
  condition: RawBuilder<boolean>,
): RawBuilder<boolean> => sql<boolean>`k.repository_id = any(array(
  select r.id from repositories r where r.client_id = current_client() and ${condition}
  union all
  select b.id from repository_branches b join repositories r on r.client_id = b.client_id and r.id = b.repository_id
  where b.client_id = current_client() and ${condition}))`;

const REPOSITORY_JOIN = sql`left join repository_branches b on b.client_id = k.client_id and b.id = k.repository_id
  join repositories r on r.client_id = k.client_id and r.id = coalesce(b.repository_id, k.repository_id)`;

/**
 * Definitions and cells whose findings are about a package of these uses: both stand in every index of findings, so that no row is read to
 * test them. Indexes: package_uses_by_use, primary keys.
 */
const withPackageUse = (uses: Words): RawBuilder<unknown> => sql`
  select n.definition_id, n.cell from package_uses u
  join aggregate_definitions n on n.client_id = current_client() and n.definition_id = u.definition_id
  join aggregate_cells c on c.client_id = current_client() and c.cell = n.cell
  join aggregate_sources k on k.client_id = current_client() and k.source = c.source
  left join repository_branches b on b.client_id = current_client() and b.id = k.repository_id
  where u.client_id = current_client() and u.use = any(${[...uses]}::text[])
    and u.repository_id = coalesce(b.repository_id, k.repository_id)`;

/** Name of the branch of a source `k`. */
const BRANCH_SQL = sql<string>`coalesce(
  (select b.name from repository_branches b where b.client_id = k.client_id and b.id = k.repository_id),
  (select r.repository_branch from repositories r where r.client_id = k.client_id and r.id = k.repository_id))`;

/** CVE numbers are stored in capitals. */
const cveNames = (words: Words): string[] =>
  storable(words).map((name) => (/^cve-/i.test(name) ? name.toUpperCase() : name));

/** `.TS` and `ts` name the same type of file. */
export const extensionsOf = (types: Words): string[] =>
  storable(types).map((type) =>
    type
      .trim()
      .replace(/^\*?\./, '')
      .toLowerCase(),
  );

type OptionsKey = OptionKeysOf<'source' | 'disposition' | 'definition'>;

/**
 * The SQL of every filter of the catalogue; without an entry here a new filter does not compile. Definitions are read by primary key,
 * rows by findings_by_file, findings_by_priority, findings_by_effort, findings_by_cvss, findings_by_date, findings_by_first_seen, findings_tagged, findings_to_confirm and finding_details_by_resource. Options of
 * rows are counted in `counts/count-row-facets.ts`.
 */
export const FILTER_SQL: {
  readonly [K in FilterKey]: FilterSql<K> & (K extends OptionsKey ? { options: OptionsSql } : unknown);
} = {
  severity: {
    where: (words) => sql<boolean>`k.severity = any(${words.map(severityRank)}::smallint[])`,
    options: { value: sql<string>`k.severity::text` },
  },
  type: text('k.type'),
  category: text('k.category'),
  tool: text('k.tool'),
  language: text('k.language'),
  repository: id('k.repository_id'),
  // depends on the other branches there are: withBranches
  branch: { where: () => undefined, options: { value: BRANCH_SQL } },
  provider: {
    where: (words) => ofRepositories(sql<boolean>`r.source_control = any(${storable(words)}::text[])`),
    options: { value: sql<string>`r.source_control`, join: REPOSITORY_JOIN },
  },
  repository_tag: {
    where: (words) => ofRepositories(sql<boolean>`r.tags && ${storable(words)}::text[]`),
    options: {
      value: sql<string>`item.name`,
      join: sql`${REPOSITORY_JOIN} cross join lateral unnest(r.tags) item(name)`,
    },
  },
  kev: { ...shown(sql<boolean>`k.kev`), options: { value: sql<string>`k.kev::text` } },
  status: text('s.status'),
  developer: {
    where: (ids) => sql<boolean>`coalesce(s.developers && ${[...ids]}::uuid[], false)`,
    options: { value: sql<string>`item.id::text`, join: sql`cross join lateral unnest(s.developers) item(id)` },
  },
  issue_owner: id('s.issue_owner'),
  review_requested: {
    where: ([wanted, other]) =>
      other === undefined
        ? sql<boolean>`(s.review_requested_by_id is not null) = ${wanted === 'true'}::boolean`
        : undefined,
    options: { value: sql<string>`(s.review_requested_by_id is not null)::text` },
  },
  review_requested_by_id: id('s.review_requested_by_id'),
  remediation_type: {
    where: (types) => {
      const statuses = types.flatMap((type) => STATUSES_OF_REMEDIATION[type]);
      return among(sql.ref<string>('s.status'), statuses);
    },
    options: { value: remediationSql('s.status') },
  },
  false_positive: shown(sql<boolean>`(s.verdict = 'false_positive')`),
  accepted_risk: shown(sql<boolean>`(s.verdict = 'accepted_risk')`),
  is_duplicate: shown(sql<boolean>`(s.is_duplicate or s.verdict = 'duplicate')`),
  is_subfinding: shown(sql<boolean>`s.is_subfinding`),
  cwe: {
    where: (numbers) => sql<boolean>`x.cwe && ${[...numbers]}::integer[]`,
    options: { value: sql<string>`item.id::text`, join: sql`cross join lateral unnest(x.cwe) item(id)` },
  },
  cve: {
    where: (words) =>
      sql<boolean>`(x.cve = any(${cveNames(words)}::text[]) or x.aliases && ${cveNames(words)}::text[])`,
    options: { value: sql<string>`x.cve` },
  },
  owasp: {
    where: (words) =>
      sql<boolean>`(x.owasp_2025 = any(${storable(words)}::text[]) or x.owasp_2021 = any(${storable(words)}::text[]))`,
    options: { value: sql<string>`x.owasp_2025` },
  },
  slsa_threats: list('x.slsa_threats'),
  owasp_cicd: list('x.owasp_cicd'),
  component: text('x.component'),
  vulnerability: { where: (words) => among(VULNERABILITY_SQL, words) },
  rule: { where: (words) => among(sql.ref<string>('x.rule_id'), words) },
  mitigation: { where: (words) => among(MITIGATION_SQL, words), options: { value: MITIGATION_SQL } },
  control: { where: (keys, { frameworks }) => ofControls('f', matchesOf(frameworks, keys)) },
  policy_name: policy('name'),
  policy_category: policy('category'),
  policy_control: policy('control'),
  file: { where: (words) => sql<boolean>`f.file_id = any(array(select find_files(${storable(words)}::text[])))` },
  resource: { where: (words) => sql<boolean>`f.id in (select find_by_resource(${storable(words)}::text[]))` },
  package_use: { where: (uses) => sql<boolean>`((f.definition_id, f.cell) in (${withPackageUse(uses)})) is true` },
  needs_confirmation: shown(sql<boolean>`f.needs_confirmation`),
  tags: { where: (words) => sql<boolean>`f.tags <> '{}' and f.tags && ${storable(words)}::text[]` },
  start_column: { where: (column) => sql<boolean>`f.start_column = ${column}::integer` },
  end_column: { where: (column) => sql<boolean>`f.end_column = ${column}::integer` },
  excluded_file_types: {
    where: (types) =>
      sql<boolean>`(f.file_id = any(array(select p.id from finding_files p where p.client_id = current_client()
        and p.extension = any(${extensionsOf(types)}::text[])))) is not true`,
  },
  sla: { where: (states, { slaRules }) => inSlaStates(states, slaRules) },
  priority_gt: { where: (least) => sql<boolean>`f.priority >= ${least}::real` },
  // asked for in whole points: up to 79 is all below 80
  priority_lt: { where: (most) => sql<boolean>`f.priority < ${most + 1}::real` },
  fixing_effort_gt: { where: (least) => sql<boolean>`f.effort_for_fixing >= ${least}::smallint` },
  fixing_effort_lt: { where: (most) => sql<boolean>`f.effort_for_fixing <= ${most}::smallint` },
  // scores are compared in the width they are stored in, else 9.8 would not equal 9.8
  cvssv3_score_gt: { where: (least) => sql<boolean>`f.cvss >= ${least}::real` },
  cvssv3_score_lt: { where: (most) => sql<boolean>`f.cvss <= ${most}::real` },
  // no index of its own, which every import would pay for: it comes with a repository
  first_scan: { where: (ids) => sql<boolean>`f.first_scan_id = any(${[...ids]}::uuid[])` },
  on_default_branch: shown(ON_DEFAULT_BRANCH),
  date_gt: { where: (day) => sql<boolean>`f.date >= ${day}::date::timestamp at time zone 'UTC'` },
  date_lt: { where: (day) => sql<boolean>`f.date < (${day}::date + 1)::timestamp at time zone 'UTC'` },
  found_gt: { where: (day) => sql<boolean>`f.first_seen >= ${day}::date::timestamp at time zone 'UTC'` },
  found_lt: { where: (day) => sql<boolean>`f.first_seen < (${day}::date + 1)::timestamp at time zone 'UTC'` },
  // findings_closed, whose condition is repeated
  fixed_gt: {
    where: (day) =>
      sql<boolean>`(f.status = 'mitigated' and f.closed_at >= ${day}::date::timestamp at time zone 'UTC')`,
  },
  fixed_lt: {
    where: (day) =>
      sql<boolean>`(f.status = 'mitigated' and f.closed_at < (${day}::date + 1)::timestamp at time zone 'UTC')`,
  },
};

/** Options that sources, dispositions and definitions answer, by facet. The verdict is a facet without a filter of its name. */
export const OPTIONS_SQL: Readonly<Partial<Record<string, OptionsSql>>> = {
  ...Object.fromEntries(
    Object.entries(FILTER_SQL).flatMap(([key, entry]) => (entry.options === undefined ? [] : [[key, entry.options]])),
  ),
  verdict: { value: sql<string>`s.verdict` },
};
