import { FINDING_TYPES, type FormatFile, SEVERITIES } from '@breakwater/sdk';
import { FIELD_NAMES, FIELDS, type FieldKind, VERDICTS } from './fields.ts';

/** Value of `format`, by which a report is known. */
export const FORMAT_NAME = 'breakwater-findings';

const listOf = (item: object) => ({ anyOf: [item, { type: 'array', items: item, maxItems: 10_000 }] });
const position = { type: 'integer', minimum: 1 };
const words = { type: 'string', minLength: 1 };

const SHAPES: Readonly<Record<FieldKind, object>> = {
  line: { type: 'string' },
  text: { type: 'string' },
  code: { type: 'string' },
  position,
  score: { type: 'number', minimum: 0, maximum: 10 },
  date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}.*)?$' },
  digest: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
  purl: { type: 'string', pattern: '^pkg:[A-Za-z0-9.+-]+/' },
  cve: listOf({ type: 'string', pattern: '^CVE-\\d{4}-\\d{4,}$' }),
  weaknesses: listOf({
    anyOf: [
      { type: 'integer', minimum: 1, maximum: 99_999 },
      { type: 'string', pattern: '^CWE-\\d{1,5}$' },
    ],
  }),
  words: listOf(words),
  links: listOf({ type: 'string', pattern: '^https?://' }),
  severity: { enum: [...SEVERITIES] },
  type: { enum: [...FINDING_TYPES] },
  verdict: { enum: [...VERDICTS] },
};

const PLACE = {
  type: 'object',
  required: ['file_path'],
  properties: {
    file_path: words,
    start_line: position,
    end_line: position,
    start_column: position,
    end_column: position,
    code: { type: 'string' },
    message: { type: 'string', description: 'What happens here.' },
  },
};

const properties = Object.fromEntries(
  FIELD_NAMES.map((name) => {
    const { kind, label, help } = FIELDS[name];
    return [name, { ...SHAPES[kind], title: label, description: help }];
  }),
);

/** The JSON of the format as JSON Schema, draft 2020-12. Fields that it does not know are left out by the importer. */
export const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:breakwater:findings:1',
  title: 'Findings of any scanner, as Breakwater reads them',
  type: 'object',
  required: ['format', 'tool', 'findings'],
  properties: {
    format: { const: FORMAT_NAME },
    version: { const: 1 },
    tool: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { ...words, description: 'Later reports of the same name close what they do not list.' },
        version: words,
      },
    },
    target: {
      ...words,
      description: 'What was scanned, without what changes from run to run: an image without its tag.',
    },
    part: { ...words, description: 'What of the target the report is about. It closes only findings of its part.' },
    date: { ...SHAPES.date, description: 'When the scan ran.' },
    status: { enum: ['complete', 'incomplete'], description: 'A report of an incomplete scan closes nothing.' },
    errors: { type: 'array', items: words, description: 'What went wrong; with one of these nothing is closed.' },
    scanned_files: {
      type: 'array',
      items: words,
      description: 'All files that were scanned, with findings or without.',
    },
    findings: { type: 'array', items: { $ref: '#/$defs/finding' } },
  },
  $defs: {
    place: PLACE,
    finding: {
      type: 'object',
      required: ['title', 'severity', 'type'],
      properties: {
        ...properties,
        locations: {
          type: 'array',
          items: { $ref: '#/$defs/place' },
          description: 'Further places of the same finding.',
        },
        code_flows: {
          type: 'array',
          items: { type: 'array', items: { $ref: '#/$defs/place' } },
          description: 'Steps from source to sink, each flow in order.',
        },
      },
    },
  },
} as const;

const SAST_EXAMPLE = Object.fromEntries(
  FIELD_NAMES.flatMap((name) => {
    const { example, kind } = FIELDS[name];
    if (example === '') return [];
    return [[name, kind === 'position' ? Number(example) : example]];
  }),
);

const SCA_EXAMPLE = {
  ...{ title: 'Prototype pollution in lodash', severity: 'critical', type: 'SCA', rule_id: 'CVE-2019-10744' },
  ...{ file_path: 'package-lock.json', component: 'lodash', component_version: '4.17.11', fixed_version: '4.17.12' },
  ...{ purl: 'pkg:npm/lodash@4.17.11', ecosystem: 'npm', cve: 'CVE-2019-10744', aliases: ['GHSA-jf85-cpcp-j695'] },
  ...{ cwe: ['CWE-1321'], cvssv3_score: 9.1, references: ['https://github.com/advisories/GHSA-jf85-cpcp-j695'] },
  ...{ verdict: 'accepted_risk', verdict_reason: 'Only used in tests.' },
};

const TEMPLATE = {
  format: FORMAT_NAME,
  version: 1,
  tool: { name: 'My scanner', version: '1.0' },
  date: '2026-11-22T10:00:00Z',
  status: 'complete',
  findings: [SAST_EXAMPLE, SCA_EXAMPLE],
};

const cell = (value: unknown): string => {
  const text = Array.isArray(value) ? value.join(', ') : value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Columns of the template: those of the scan in front of those of a finding. */
const COLUMNS = ['tool', 'part', 'scan_status', ...FIELD_NAMES];

const rowOf = (finding: Readonly<Record<string, unknown>>): string => {
  const values: Readonly<Record<string, unknown>> = { tool: 'My scanner', scan_status: 'complete', ...finding };
  return COLUMNS.map((name) => cell(values[name])).join(',');
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** What a person may download to write the format. */
export const files: readonly FormatFile[] = [
  {
    name: 'template.csv',
    title: 'CSV template',
    contentType: 'text/csv',
    text: `\ufeff${[COLUMNS.join(','), rowOf(SAST_EXAMPLE), rowOf(SCA_EXAMPLE)].join('\r\n')}\r\n`,
  },
  { name: 'template.json', title: 'JSON template', contentType: 'application/json', text: json(TEMPLATE) },
  { name: 'schema.json', title: 'JSON Schema', contentType: 'application/schema+json', text: json(SCHEMA) },
];
