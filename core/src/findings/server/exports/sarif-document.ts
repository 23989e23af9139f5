import { readFileSync } from 'node:fs';
import type { FindingType } from '@breakwater/sdk';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { VERDICT_LABELS } from '../../model/labels.ts';
import type { Verdict } from '../../model/states.ts';
import type { StoredRow } from '../list/read-finding-rows.ts';
import { isoTime } from '../list/row-attributes.ts';
import { type ExportDocument, VALUE_LABELS } from './table-documents.ts';

const ATTRIBUTES = [
  'rule_id',
  'title',
  'severity',
  'priority',
  'type',
  'tool',
  'repository',
  'status',
  'verdict',
  'file_path',
  'start_line',
  'end_line',
  'start_column',
  'end_column',
  'cwe',
  'cve',
  'kev',
  'estimated_epss',
  'component',
  'component_version',
  'fixed_version',
  'tags',
  'cvssv3_score',
  'first_seen',
  'description',
  'mitigation',
  'cvssv3_vector',
  'scanner_report_code',
  'resource',
] as const;
type Row = StoredRow<(typeof ATTRIBUTES)[number]>;
type Attributes = Omit<Row, '_id'>;

const PackageFile = Type.Object({ version: Type.String() });
const VERSION = Value.Parse(
  PackageFile,
  JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')),
).version;

/** SARIF has three levels; the word itself stands in the properties. */
const LEVELS = { critical: 'error', high: 'error', medium: 'warning', low: 'note', informational: 'note' } as const;
/** Where there is no CVSS score: the middle of the band, for readers that know only numbers. Source: decisions.md "States". */
const BAND = { critical: '9.5', high: '8.0', medium: '5.5', low: '2.0', informational: '0.0' } as const;
/** Words by which readers tell kinds of results apart. */
const MARKS: Partial<Record<FindingType, string>> = { Secrets: 'secret', IaC: 'misconfiguration', License: 'license' };

/** Verdicts that say: this result needs nothing more. */
const SUPPRESSES: readonly Verdict[] = ['false_positive', 'accepted_risk', 'mitigated_externally'];

/** How people read the stored values in the properties of the results. */
const LABELS = JSON.stringify(VALUE_LABELS);

const LONGEST_RULE_TEXT = 1000;

const isSet = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** What says nothing is left out of the document. The fields are changed themselves: a copy for each of a million results takes longer. */
const stated = (fields: Record<string, unknown>): Record<string, unknown> => {
  for (const key of Object.keys(fields)) if (!isSet(fields[key])) fields[key] = undefined;
  return fields;
};

/** A path as a URI reference; what is an address already only loses the signs that no URI may have. */
export const uriOf = (path: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(path)
    ? path.toWellFormed().replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, encodeURIComponent)
    : path.toWellFormed().split('/').map(encodeURIComponent).join('/');

const positive = (value: number | null): number | undefined => (value !== null && value >= 1 ? value : undefined);

const regionOf = (finding: Attributes) => {
  const startLine = positive(finding.start_line);
  if (startLine === undefined) return undefined;
  const endLine = positive(finding.end_line);
  const startColumn = positive(finding.start_column);
  const endColumn = positive(finding.end_column);
  const isOneLine = endLine === undefined || endLine === startLine;
  const isBackwards = isOneLine && startColumn !== undefined && endColumn !== undefined && endColumn < startColumn;
  return stated({
    startLine,
    startColumn,
    endLine: endLine !== undefined && endLine >= startLine ? endLine : undefined,
    endColumn: isBackwards ? undefined : endColumn,
  });
};

const snippetOf = (finding: Attributes): { text: string } | undefined => {
  const { scanner_report_code: code } = finding;
  return code === null || code === '' ? undefined : { text: code };
};

const locationsOf = (finding: Attributes) => {
  const { file_path: path } = finding;
  if (path === null || path === '') return undefined;
  const region = regionOf(finding);
  const snippet = snippetOf(finding);
  const artifactLocation = { uri: uriOf(path) };
  if (region === undefined) return [{ physicalLocation: { artifactLocation } }];
  return [{ physicalLocation: { artifactLocation, region: stated({ ...region, snippet }) } }];
};

const suppressionsOf = ({ verdict }: Attributes) =>
  SUPPRESSES.includes(verdict)
    ? [{ kind: 'external', status: 'accepted', justification: VERDICT_LABELS[verdict] }]
    : undefined;

const resultOf = ({ _id, ...attributes }: Row) =>
  stated({
    ruleId: attributes.rule_id,
    level: LEVELS[attributes.severity],
    message: { text: attributes.title },
    guid: _id,
    locations: locationsOf(attributes),
    suppressions: suppressionsOf(attributes),
    fingerprints: { 'breakwater/v1': _id },
    provenance: { firstDetectionTimeUtc: isoTime(attributes.first_seen) },
    properties: stated({
      // a word wins over the number of the rule, which all results of the rule share
      'security-severity': attributes.severity,
      priority: attributes.priority,
      type: attributes.type,
      tool: attributes.tool,
      repository: attributes.repository,
      status: attributes.status,
      verdict: attributes.verdict,
      cwe: attributes.cwe.map((cwe) => `CWE-${cwe}`),
      cve: attributes.cve,
      kev: attributes.kev,
      epss: attributes.estimated_epss,
      component: attributes.component,
      componentVersion: attributes.component_version,
      fixedVersion: attributes.fixed_version,
      resource: attributes.resource,
      tags: attributes.tags,
    }),
  });

const shortened = (text: string | null | undefined) =>
  typeof text === 'string' && text !== '' ? { text: text.slice(0, LONGEST_RULE_TEXT).toWellFormed() } : undefined;

/** What all results of a rule share, taken from the first of them. */
const ruleOf = (attributes: Attributes): string => {
  const { cvssv3_score: score, cvssv3_vector: vector } = attributes;
  return JSON.stringify(
    stated({
      id: attributes.rule_id,
      name: attributes.cve,
      shortDescription: shortened(attributes.title),
      fullDescription: shortened(attributes.description),
      help: shortened(attributes.mitigation),
      properties: stated({
        'security-severity': score === null ? BAND[attributes.severity] : score.toFixed(1),
        cvssv3_baseScore: score,
        cvssv3_vector: vector,
        tags: [
          'security',
          ...attributes.cwe.map((cwe) => `external/cwe/cwe-${String(cwe).padStart(3, '0')}`),
          ...[MARKS[attributes.type] ?? []].flat(),
        ],
      }),
    }),
  );
};

/**
 * SARIF 2.1.0 with one run. The rules come last, because only then it is known which there are: they alone stay in memory.
 * Source: SARIF 2.1.0 §3.13-3.50.
 */
export const sarifDocument = (): ExportDocument<(typeof ATTRIBUTES)[number]> => {
  const rules = new Map<string, string>();
  const driver = JSON.stringify({ name: 'Breakwater', semanticVersion: VERSION }).slice(0, -1);
  return {
    attributes: ATTRIBUTES,
    head: '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"columnKind":"utf16CodeUnits","results":[\n',
    separator: ',\n',
    textOf: (rows) => {
      for (const row of rows) if (!rules.has(row.rule_id)) rules.set(row.rule_id, ruleOf(row));
      return rows.map((row) => JSON.stringify(resultOf(row))).join(',\n');
    },
    foot: (rows) =>
      `${rows === 0 ? '' : '\n'}],"tool":{"driver":${driver},"rules":[\n${[...rules.values()].join(',\n')}\n]}},"properties":{"labels":${LABELS}}}]}\n`,
  };
};
