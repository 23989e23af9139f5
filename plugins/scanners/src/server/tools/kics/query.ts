import type { FindingType, NormalizedFinding, ParseOptions, ReportRecord, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { cweNumbers, webAddresses } from '../../lib/findings/identifiers.ts';
import { familyOf, normalisePath } from '../../lib/findings/packages.ts';
import { maskTokens } from '../../lib/findings/secrets.ts';
import { severityFromWord, severityNumber } from '../../lib/findings/severity.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { csvColumns, readTableReport } from '../../lib/formats/csv.ts';
import { defined, fields, label, number, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

/** One element of `queries[].files`. Source: kics pkg/model/summary.go, versions 1.0 to 2.1. */
const VulnerableFile = Type.Object({ file_name: Type.String() });
export type VulnerableFile = Static<typeof VulnerableFile>;
export const vulnerableFileCheck = recordCheck(VulnerableFile);

/** What the results of one query share. */
interface Query {
  finding: NormalizedFinding;
  description: string | undefined;
  /** True where the result may show a secret. */
  isSecret: boolean;
}

/** Undefined when the query has neither id nor name. */
export function queryOf(values: ReadonlyMap<string, unknown>, family: string | undefined): Query | undefined {
  const field = (name: string) => label(values.get(name));
  const name = text(values.get('query_name'));
  const ruleId = field('query_id') ?? field('query_name');
  if (ruleId === undefined) return undefined;
  const nativeSeverity = field('severity');
  const severity = severityOf(nativeSeverity);
  const isSecret = isSecretQuery(name, field('category'));
  const tags = [field('platform'), field('cloud_provider')].filter((tag) => tag !== undefined);
  const finding: NormalizedFinding = defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(name ?? ruleId),
    type: typeOf(field('platform'), isSecret, family),
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, riskOf(values.get('riskScore'))),
    cwe: cweNumbers(values.get('cwe')),
    references: webAddresses(values.get('query_url')),
    policy: policyOf(field),
    tags: tags.length === 0 ? undefined : tags,
  });
  const description = paragraphs(text(values.get('description')), text(values.get('cis_description_text')));
  return { finding, description, isSecret };
}

export function fileFinding(file: VulnerableFile, { finding, description, isSecret }: Query): NormalizedFinding {
  const record = fields(file);
  const path = normalisePath(record.file_name);
  const safe = (value: unknown) => {
    const said = text(value);
    return said !== undefined && isSecret ? maskTokens(said) : said;
  };
  const expected = safe(record.expected_value) ?? safe(record.key_expected_value);
  const found = safe(record.actual_value) ?? safe(record.key_actual_value);
  return defined({
    ...finding,
    description: paragraphs(description, found === undefined ? undefined : `Found: ${found}`),
    mitigation: paragraphs(expected === undefined ? undefined : `Expected: ${expected}`, safe(record.remediation)),
    locations: path === undefined ? undefined : [defined({ path, startLine: position(record.line) })],
    resource: resourceOf(record) ?? safe(label(record.search_key)),
    // Of file, query and key: it stays when lines move.
    fingerprint: label(record.similarity_id),
  });
}

/** TRACE marks entries of the inventory. */
function severityOf(word: string | undefined): Severity {
  return severityFromWord(word) ?? 'informational';
}

function riskOf(value: unknown): number | undefined {
  const score = number(value);
  return score !== undefined && score > 0 && score <= 10 ? score : undefined;
}

function isSecretQuery(name: string | undefined, category: string | undefined): boolean {
  return category === 'Secret Management' && /password|secret/i.test(name ?? '');
}

/** The chosen catalogue entry decides; without one, what was scanned. */
function typeOf(platform: string | undefined, isSecret: boolean, family: string | undefined): FindingType {
  const chosen = familyOf(family, SARIF_WRITERS.kics.families);
  if (chosen !== undefined) return chosen;
  if (isSecret) return 'Secrets';
  return platform === 'CICD' ? 'CI/CD' : 'IaC';
}

function policyOf(field: (name: string) => string | undefined): NormalizedFinding['policy'] {
  const policy = defined({
    name: field('cis_benchmark_name') ?? field('platform'),
    category: field('category'),
    control: field('cis_description_id'),
  });
  return Object.keys(policy).length === 0 ? undefined : policy;
}

/** The name that the configuration gives its resource; `n/a` and `unnamed` are the tool's words for none. */
function resourceOf(record: Record<string, unknown>): string | undefined {
  const name = label(record.resource_name);
  return name === undefined || /^(?:n\/a|unnamed|unknown|undefined)$/i.test(name) ? undefined : name;
}

/** A file of a query with what the query says. Source: kics pkg/report/model/csv.go, since 1.7. */
const Row = Type.Object({ query_id: Type.String({ minLength: 1 }), file_name: Type.String() });
const rowCheck = recordCheck(Row);

export function isCsv(start: string): boolean {
  const columns = csvColumns(Buffer.from(start.slice(0, 4_096)));
  return ['query_name', 'query_id', 'file_name', 'similarity_id'].every((name) => columns.includes(name));
}

/** @throws ReportError */
export const parseRows = (
  report: AsyncIterable<Uint8Array>,
  tool: string,
  options: ParseOptions,
): AsyncIterable<ReportRecord> =>
  readTableReport(report, options, { tool, check: rowCheck, column }, (row) => rowFinding(row, options.family));

/** The one column that is not named as in the JSON. */
const column = (name: string): string => (name === 'query_uri' ? 'query_url' : name.trim());

function rowFinding(
  row: { query_id: string; file_name: string },
  family: string | undefined,
): NormalizedFinding | undefined {
  const query = queryOf(new Map<string, unknown>(Object.entries(row)), family);
  return query === undefined ? undefined : fileFinding(row, query);
}
