import { CERTAINTY, type CodeFacts, type Correlatable, type Correlation, codeKeys } from '../../model/correlate.ts';
import { type CodeResult, codeCorrelations } from '../../model/correlate-code.ts';
import { isListedByCve, type PackageResult, packageCorrelations } from '../../model/correlate-packages.ts';
import { checkClassOf, misconfigurationCorrelations } from '../../model/misconfiguration.ts';

/** Runs a statement in the open transaction: of an import, or of a request. */
export type Query = <T extends object>(text: string, values: unknown[]) => Promise<T[]>;

/** What may be the same as something else, and why, beside their keys. */
export interface Candidates {
  items: Correlatable[];
  correlations: Correlation[];
}

export interface CandidateRequest {
  clientId: string;
  repositoryId: string;
  /** The import at work; null on a person's word. */
  scanId: string | null;
  /** Set where the table `new_findings` holds findings that are still to be written. */
  hasNewFindings: boolean;
}

const COMMON = `f.id, f.severity, f.verdict <> 'none' as "hasVerdict",
  f.first_scan_id is distinct from $3::uuid and not f.is_duplicate as "isEstablished",
  f.is_duplicate as "isDuplicate", f.duplicate_of as "duplicateOf", f.duplicate_certainty as certainty`;

/** Columns of `findings`; `new_findings` has them under the same names. */
const codeColumns = (
  lines: string,
): string => `f.id, f.severity, f.verdict, f.first_scan_id, f.is_duplicate, f.duplicate_of, f.duplicate_certainty,
  f.tool, f.file_id, ${lines}.start_line, ${lines}.end_line, f.start_column, f.end_column, f.type, f.definition_id`;

/** The last step of the way that data takes. */
const SINK = 'd.code_flows -> 0 -> -1';

/** Results in code that share their line with another, and those marked before. Indexes: findings_by_file, primary keys. */
const CODE = (hasNewFindings: boolean): string => `
  select ${COMMON}, f.file_id as "fileId", f.start_line as line, f.type = 'Secrets' as "isSecret", u.cwe,
    f.tool, u.rule_id as "ruleId", f.end_line as "endLine", f.start_column as column, f.end_column as "endColumn"
  from (
    select f.*, count(*) over (partition by f.file_id, f.start_line) as mates
    from (
      select ${codeColumns('l')} from findings f
      join finding_locations l on l.client_id = $1 and l.finding_id = f.id and l.start_line is not null
      where f.client_id = $1 and f.repository_id = $2 and f.file_id in (select file_id from touched)
        and f.status <> 'mitigated' and f.type in ('SAST', 'Secrets')
      ${
        hasNewFindings
          ? `union all select ${codeColumns('f')} from new_findings f
      where f.file_id is not null and f.start_line is not null and f.type in ('SAST', 'Secrets')`
          : ''
      }
    ) f
  ) f
  join finding_definitions u on u.client_id = $1 and u.id = f.definition_id
  where f.mates > 1 or f.is_duplicate`;

/**
 * What results in code say of themselves. Read apart: within an import the planner has no statistics, takes what shares a line for one row, and
 * read all details of the organisation for each. Index: primary key.
 */
const TEXTS = `
  select w.id, d.secret_hash as "secretHash", (${SINK} ->> 'path') || ':' || coalesce(${SINK} ->> 'startLine', '') as sink,
    ${SINK} ->> 'startColumn' as "sinkColumn", md5(d.description) as message
  from unnest($2::uuid[]) w (id) left join finding_details d on d.client_id = $1 and d.finding_id = w.id`;

const PACKAGE = `${COMMON}, f.tool, u.package_key as "packageKey", u.cve, u.rule_id as "ruleId", u.aliases, p.path, d.resource`;
const OF_PACKAGE = `
  left join finding_files p on p.client_id = $1 and p.id = f.file_id
  left join finding_details d on d.client_id = $1 and d.finding_id = f.id`;

/** Indexes: finding_definitions_package, findings_by_definition, primary keys. */
const PACKAGES = (hasNewFindings: boolean): string => `
  select ${PACKAGE}
  from finding_definitions u
  join findings f on f.client_id = $1 and f.definition_id = u.id ${OF_PACKAGE}
  where u.client_id = $1 and u.package_key in (select package_key from touched)
    and f.repository_id = $2 and f.status <> 'mitigated'
  ${
    hasNewFindings
      ? `union all select ${PACKAGE} from new_findings f join finding_definitions u on u.client_id = $1 and u.id = f.definition_id
  ${OF_PACKAGE} where u.package_key is not null`
      : ''
  }`;

const IS_CONFIGURATION = `type in ('IaC', 'Configuration', 'Container')`;
/** Aggregates do not count yet what the import at work changes. */
const HAS_CONFIGURATION = (isImport: boolean): string => `
  select from (
    select type from aggregate_sources where client_id = $1 and repository_id = $2
    ${isImport ? 'union all select type from stage_findings' : ''}
  ) f where ${IS_CONFIGURATION} limit 1`;

const CHECK = (lines: string): string =>
  `f.tool, files.path, u.rule_id as "ruleId", u.title, ${lines}.start_line as line, ${lines}.end_line as "endLine", d.resource`;
const OF_CHECK = `
  join finding_definitions u on u.client_id = $1 and u.id = f.definition_id
  left join finding_details d on d.client_id = $1 and d.finding_id = f.id`;

/** Some tools begin paths with a slash, others do not. Indexes: finding_files by digest of the path, findings_by_file. */
const CONFIGURATION = (hasNewFindings: boolean): string => `
  select ${COMMON}, ${CHECK('l')}
  from (
    select p.id, n.path
    from (
      select distinct ltrim(p.path, '/') as path from touched t join finding_files p on p.client_id = $1 and p.id = t.file_id
    ) n
    join finding_files p on p.client_id = $1 and md5(p.path) in (md5(n.path), md5('/' || n.path))
  ) files
  join findings f on f.client_id = $1 and f.file_id = files.id ${OF_CHECK}
  left join finding_locations l on l.client_id = $1 and l.finding_id = f.id
  where f.repository_id = $2 and f.status <> 'mitigated' and f.${IS_CONFIGURATION} and u.package_key is null
  ${
    hasNewFindings
      ? `union all select ${COMMON}, ${CHECK('f')}
  from new_findings f
  cross join lateral (select ltrim(p.path, '/') as path from finding_files p where p.client_id = $1 and p.id = f.file_id) files ${OF_CHECK}
  where f.${IS_CONFIGURATION} and u.package_key is null`
      : ''
  }`;

/** What people said; the later word counts. Index: correlation_overrides_of_repository. */
const OVERRIDES = `
  select t.finding_id as a, t.other_id as b, t.finding_id = t.other_id as "isApart"
  from correlation_overrides t
  where t.client_id = $1 and t.repository_id = $2 and (t.finding_id = t.other_id or not exists (
    select from correlation_overrides s
    where s.client_id = $1 and s.finding_id = s.other_id and s.finding_id in (t.finding_id, t.other_id) and s.at > t.at
  ))`;

/** Also what counts as a duplicate of one of them: it may stand in no touched file. Index: findings_duplicates. */
const DECIDED = `
  select ${COMMON} from findings f
  where f.client_id = $1 and f.repository_id = $2 and (f.id = any($4::uuid[]) or f.duplicate_of = any($4::uuid[]))
    and f.status <> 'mitigated'`;

type Common = Omit<Correlatable, 'keys' | 'joins' | 'secretHash' | 'isUnsure' | 'isApart' | 'hasCve'>;
type CodeText = Pick<CodeResult, 'sink' | 'sinkColumn' | 'message'> & { secretHash: string | null };
type CodeRow = Common & CodeFacts & CodeResult & CodeText;
type PackageRow = Common & PackageResult;
interface ConfigurationRow extends Common {
  tool: string;
  path: string;
  ruleId: string;
  title: string;
  line: number | null;
  endLine: number | null;
  resource: string | null;
}
interface OverrideRow {
  a: string;
  b: string;
  isApart: boolean;
}

const PLAIN = { keys: [], joins: [], secretHash: null, isUnsure: false, isApart: false, hasCve: false } as const;

const readConfiguration = async (
  query: Query,
  values: readonly (string | null)[],
  hasNewFindings: boolean,
): Promise<Candidates> => {
  if ((await query(HAS_CONFIGURATION(values[2] !== null), values.slice(0, 2))).length === 0)
    return { items: [], correlations: [] };
  const rows = await query<ConfigurationRow>(CONFIGURATION(hasNewFindings), [...values]);
  const classed = rows.flatMap((row) => {
    const checkClass = checkClassOf(row.ruleId, row.title);
    return checkClass === undefined ? [] : [{ ...row, checkClass }];
  });
  return { items: rows.map((row) => ({ ...row, ...PLAIN })), correlations: misconfigurationCorrelations(classed) };
};

const NO_TEXT: CodeText = { secretHash: null, sink: null, sinkColumn: null, message: null };

const readCode = async (
  query: Query,
  values: readonly (string | null)[],
  hasNewFindings: boolean,
): Promise<CodeRow[]> => {
  const rows = await query<Omit<CodeRow, keyof CodeText>>(CODE(hasNewFindings), [...values]);
  const texts = await query<CodeText & { id: string }>(TEXTS, [values[0], rows.map((row) => row.id)]);
  const textOf = new Map(texts.map((text) => [text.id, text]));
  return rows.map((row) => ({ ...row, ...(textOf.get(row.id) ?? NO_TEXT) }));
};

/**
 * Open findings of touched files and packages, and those that people decided about, each once.
 * @param asked findings to look at in any case.
 */
export const readCandidates = async (
  query: Query,
  { clientId, repositoryId, scanId, hasNewFindings }: CandidateRequest,
  asked: readonly string[],
): Promise<Candidates> => {
  const values = [clientId, repositoryId, scanId];
  const code = await readCode(query, values, hasNewFindings);
  const packages = await query<PackageRow>(PACKAGES(hasNewFindings), values);
  const configuration = await readConfiguration(query, values, hasNewFindings);
  const decisions = await query<OverrideRow>(OVERRIDES, [clientId, repositoryId]);
  const named = [...new Set([...asked, ...decisions.flatMap(({ a, b }) => [a, b])])];
  const decided = named.length === 0 ? [] : await query<Common>(DECIDED, [...values, named]);
  const apart = new Set(decisions.filter((row) => row.isApart).map((row) => row.a));
  const items: Correlatable[] = [
    ...decided.map((row) => ({ ...row, ...PLAIN })),
    ...configuration.items,
    ...code.map((row) => ({
      ...row,
      ...codeKeys(row),
      isUnsure: row.isSecret && row.secretHash === null,
      isApart: false,
      hasCve: false,
    })),
    ...packages.map((row) => ({ ...row, ...PLAIN, hasCve: isListedByCve(row) })),
  ];
  // what rules know of a finding comes last, and stands
  const once = new Map(items.map((item) => [item.id, apart.has(item.id) ? { ...item, isApart: true } : item]));
  const people = decisions.filter((row) => !row.isApart).map(({ a, b }) => ({ a, b, certainty: CERTAINTY.person }));
  const rules = [
    ...configuration.correlations,
    ...codeCorrelations(code.filter((row) => !(row.isSecret || apart.has(row.id)))),
    ...packageCorrelations(packages.filter((row) => !apart.has(row.id))),
  ];
  return { items: [...once.values()], correlations: [...rules, ...people] };
};
