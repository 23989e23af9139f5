import {
  FINDING_TYPES,
  type FindingType,
  type Location,
  type NormalizedFinding,
  SEVERITIES,
  type Severity,
} from '@breakwater/sdk';
import { cweNumbers, identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { ecosystemOf, familyOf, normalisePath, packageName, purlText } from '../../lib/findings/packages.ts';
import { maskTokens } from '../../lib/findings/secrets.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { isoDate, oneLine } from '../../lib/findings/text.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, isRecord, label, list, number, oneOrMore, text } from '../../lib/values/read.ts';
import { type FieldName, VERDICTS } from './fields.ts';

/** A finding by the names of its fields: texts of a table's cells, or values of JSON; `tool` is the one that made it. */
export type FlatRecord = Readonly<Record<string, unknown>>;

export interface RecordOptions {
  /** Chosen for all findings that do not say their type. */
  family?: string | undefined;
  /** Name of the scanner, where the finding does not say it. */
  tool?: string | undefined;
  /** Words of the scanner, in lower case, before those that everybody knows. */
  severities?: ReadonlyMap<string, Severity>;
  /** How a person finds the field: `“severity”`, `column “Risk”`. */
  nameOf(field: FieldName): string;
}

const MAX_TOOL = 100;
/** How many characters of a wrong value are repeated. */
const SHOWN = 60;
/** How tools write that there is nothing. */
const NOTHING = /^(?:-+|n\/?a|none|null|nil|undefined|not available)$/i;

const shown = (value: unknown): string => {
  const words = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return oneLine(words, SHOWN);
};

/** Reads the fields of one finding and keeps what is wrong with them. */
class FieldReader {
  readonly issues: string[] = [];
  private readonly record: FlatRecord;
  private readonly nameOf: RecordOptions['nameOf'];

  constructor(record: FlatRecord, nameOf: RecordOptions['nameOf']) {
    this.record = record;
    this.nameOf = nameOf;
  }

  raw(field: FieldName): unknown {
    return Object.hasOwn(this.record, field) ? this.record[field] : undefined;
  }

  /** Text of any length; a list or an object is none. */
  text(field: FieldName, max?: number): string | undefined {
    const value = this.raw(field);
    if (value === undefined || value === null || typeof value === 'boolean') return undefined;
    if (typeof value !== 'object') return text(value, max);
    return this.wrong(field, 'must be a text', value);
  }

  line(field: FieldName): string | undefined {
    const value = this.text(field);
    return value === undefined ? undefined : label(value);
  }

  /** What the reader makes of a value that is there; undefined is a wrong value. */
  value<T>(field: FieldName, must: string, read: (value: unknown) => T | undefined): T | undefined {
    const value = this.raw(field);
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string' && (value.trim() === '' || NOTHING.test(value.trim()))) return undefined;
    if (Array.isArray(value) && value.length === 0) return undefined;
    return read(value) ?? this.wrong(field, must, value);
  }

  position(field: FieldName): number | undefined {
    const place = this.value(field, 'must be a whole number from 1', (value) => {
      const found = typeof value === 'string' ? number(value.trim()) : number(value);
      return found !== undefined && Number.isInteger(found) && found <= 0x7fffffff ? found : undefined;
    });
    // 0 and -1 are how tools write that they do not know
    return place !== undefined && place >= 1 ? place : undefined;
  }

  missing(field: FieldName, must: string): undefined {
    this.issues.push(`${this.nameOf(field)} is missing: it ${must}`);
    return undefined;
  }

  wrong(field: FieldName, must: string, value: unknown): undefined {
    this.issues.push(`${this.nameOf(field)} ${must}: it is “${shown(value)}”`);
    return undefined;
  }
}

/** Elements of a list: of JSON, or of a cell in which they are separated. */
const elements = (value: unknown, separator: RegExp): unknown[] =>
  oneOrMore(value).flatMap((item) =>
    typeof item === 'string'
      ? item
          .slice(0, LIMITS.textChars)
          .split(separator)
          .filter((part) => part.trim() !== '')
      : [item],
  );

const SPACES_TOO = /[,;|\s]+/;
const WITHOUT_SPACES = /[,;|\n]+/;

const wordOf = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '');

function readSeverity(reader: FieldReader, options: RecordOptions): { severity: Severity; word: string } | undefined {
  const word = reader.line('severity');
  const must = `must be one of ${SEVERITIES.join(', ')}`;
  if (word === undefined) return reader.missing('severity', must);
  const severity = options.severities?.get(word.toLowerCase()) ?? severityFromWord(word);
  return severity === undefined ? reader.wrong('severity', must, word) : { severity, word };
}

function readType(reader: FieldReader, { family }: RecordOptions): FindingType | undefined {
  const must = `must be one of ${FINDING_TYPES.join(', ')}`;
  const found = reader.value('type', must, (value) =>
    FINDING_TYPES.find((type) => type.toLowerCase() === wordOf(value)),
  );
  const chosen = found ?? familyOf(family, FINDING_TYPES);
  if (chosen === undefined && reader.issues.length === 0) return reader.missing('type', must);
  return chosen;
}

const OPEN = new Set(['none', 'valid', 'to triage', 'to_triage', 'duplicate', 'open', 'false', 'no']);
const VERDICT_WORDS: ReadonlyMap<string, (typeof VERDICTS)[number]> = new Map([
  ...VERDICTS.map((verdict) => [verdict, verdict] as const),
  ['risk_accepted', 'accepted_risk'],
]);

function readSuppressed(reader: FieldReader): NormalizedFinding['suppressed'] {
  const reason = reader.text('verdict_reason', 10_000);
  const verdict = reader.value('verdict', `must be one of ${VERDICTS.join(', ')} or be left out`, (value) => {
    const word = wordOf(value);
    return OPEN.has(word) ? 'open' : VERDICT_WORDS.get(word.replace(/[\s-]+/g, '_'));
  });
  return verdict === undefined || verdict === 'open' ? undefined : defined({ verdict, reason });
}

function readPlaces(reader: FieldReader, record: FlatRecord, hide: (code: string) => string): Location[] | undefined {
  const path = normalisePath(reader.text('file_path'));
  const code = reader.text('code', LIMITS.snippetChars);
  const place = defined({
    startLine: reader.position('start_line'),
    endLine: reader.position('end_line'),
    startColumn: reader.position('start_column'),
    endColumn: reader.position('end_column'),
    snippet: code === undefined ? undefined : hide(code),
  });
  const further = list(record.locations)
    .slice(0, LIMITS.locations - 1)
    .flatMap((other) => placeOf(other, hide));
  if (path === undefined) return further.length === 0 ? undefined : further;
  return [{ path, ...place }, ...further];
}

const positionOf = (value: unknown): number | undefined => {
  const found = number(value);
  return found !== undefined && Number.isInteger(found) && found >= 1 && found <= 0x7fffffff ? found : undefined;
};

/** A further place, or a step of a code flow: what is no place is left out. */
function placeOf(value: unknown, hide: (code: string) => string): Location[] {
  const record = fields(value);
  const path = normalisePath(record.file_path);
  if (path === undefined) return [];
  const code = text(record.code, LIMITS.snippetChars);
  return [
    defined({
      path,
      startLine: positionOf(record.start_line),
      endLine: positionOf(record.end_line),
      startColumn: positionOf(record.start_column),
      endColumn: positionOf(record.end_column),
      snippet: code === undefined ? undefined : hide(code),
      message: text(record.message, LIMITS.snippetChars),
    }),
  ];
}

function readFlows(value: unknown, hide: (code: string) => string): Location[][] | undefined {
  const flows = list(value)
    .slice(0, LIMITS.flows)
    .map((flow) =>
      list(flow)
        .slice(0, LIMITS.flowSteps)
        .flatMap((step) => placeOf(step, hide)),
    )
    .filter((flow) => flow.length > 0);
  return flows.length === 0 ? undefined : flows;
}

function readComponent(reader: FieldReader): NormalizedFinding['component'] {
  const purl = reader.value('purl', 'must be a package URL such as pkg:npm/lodash@4.17.20', purlText);
  const own = packageName(purl);
  const name = reader.line('component') ?? own?.name;
  const rest = {
    version: reader.line('component_version') ?? own?.version,
    fixedVersion: reader.line('fixed_version'),
    ecosystem: ecosystemOf(purl) ?? reader.line('ecosystem')?.toLowerCase().slice(0, 100),
  };
  return name === undefined ? undefined : defined({ name, purl, ...rest });
}

const SCORE = 'must be a number from 0 to 10';
const readScore = (value: unknown): number | undefined => {
  const found = number(typeof value === 'string' ? value.trim().replace(/^(\d+),(\d+)$/, '$1.$2') : value);
  return found !== undefined && found >= 0 && found <= 10 ? found : undefined;
};

const readDate = (value: unknown): string | undefined =>
  typeof value === 'string' ? isoDate(value.trim().replace(/^(\d{4})\/(\d{2})\/(\d{2})/, '$1-$2-$3')) : undefined;

function readVulnerability(reader: FieldReader) {
  const cves = reader.value('cve', 'must be an id such as CVE-2024-1234', (value) => {
    const ids = elements(value, SPACES_TOO);
    return ids.every((id) => /^CVE-\d{4}-\d{4,}$/i.test(String(id).trim())) ? ids : undefined;
  });
  const aliases = reader.value('aliases', 'must be a list of ids', (value) => elements(value, WITHOUT_SPACES));
  const cwe = reader.value('cwe', 'must be numbers such as CWE-89', (value) => {
    const parts = elements(value, SPACES_TOO);
    const isOpen = parts.every((part) => /^(?:0|(?:NVD-)?CWE-(?:0|noinfo|other))$/i.test(String(part).trim()));
    return cweNumbers(parts) ?? (isOpen ? [] : undefined);
  });
  return defined({
    ...identifiers(...(cves ?? []), ...(aliases ?? [])),
    cwe: cwe === undefined || cwe.length === 0 ? undefined : cwe,
    cvssScore: reader.value('cvssv3_score', SCORE, readScore),
    cvssVector: reader.text('cvssv3_vector', 300),
    references: reader.value('references', 'must be addresses that begin with https://', (value) =>
      webAddresses(elements(value, /(?:[;|\s]|,(?=\s|https?:))+/)),
    ),
  });
}

function readPolicy(reader: FieldReader): NormalizedFinding['policy'] {
  const policy = defined({
    name: reader.line('policy_name'),
    category: reader.line('policy_category'),
    control: reader.line('policy_control'),
  });
  return Object.keys(policy).length === 0 ? undefined : policy;
}

function readTags(reader: FieldReader): string[] | undefined {
  const tags = reader.value('tags', 'must be a list of words', (value) =>
    elements(value, WITHOUT_SPACES).flatMap((tag) => label(tag)?.slice(0, 200) ?? []),
  );
  return tags === undefined || tags.length === 0 ? undefined : [...new Set(tags)].slice(0, 100);
}

/** The finding that a record says, or what is wrong with it in words that say what to write instead. */
export function readRecord(record: FlatRecord, options: RecordOptions): NormalizedFinding | { issue: string } {
  const reader = new FieldReader(record, options.nameOf);
  const title = reader.line('title') ?? reader.line('rule_id');
  if (title === undefined) reader.missing('title', 'says in one line what is wrong');
  const severity = readSeverity(reader, options);
  const type = readType(reader, options);
  // what surrounds a secret may show it
  const hide = type === 'Secrets' ? maskTokens : (code: string) => code;
  const said = (field: FieldName) => {
    const value = reader.text(field);
    return value === undefined ? undefined : hide(value);
  };
  const rest = {
    nativeSeverity: reader.line('native_severity')?.slice(0, 200) ?? severity?.word.slice(0, 200),
    description: said('description'),
    mitigation: said('mitigation'),
    ...readVulnerability(reader),
    component: readComponent(reader),
    locations: readPlaces(reader, record, hide),
    codeFlows: readFlows(record.code_flows, hide),
    secretHash: reader.value('secret_hash', 'must be a SHA-256 in hex', (value) =>
      /^[0-9a-f]{64}$/.test(wordOf(value)) ? wordOf(value) : undefined,
    ),
    fingerprint: reader.line('fingerprint'),
    resource: reader.line('resource'),
    policy: readPolicy(reader),
    suppressed: readSuppressed(reader),
    date: reader.value('date', 'must be a date such as 2026-11-22 or 2026-11-22T10:00:00Z', readDate),
    // says nothing of the finding itself: what cannot be read is left out
    published: readDate(reader.line('published')),
    tags: readTags(reader),
    language: reader.line('language')?.toLowerCase().slice(0, 100),
  };
  if (title === undefined || severity === undefined || type === undefined || reader.issues.length > 0)
    return { issue: clean(reader.issues.join('; '), 500) };
  const named = { ruleId: reader.line('rule_id') ?? oneLine(title), title: oneLine(title) };
  const tool = (label(record.tool) ?? options.tool)?.slice(0, MAX_TOOL);
  return defined({ kind: 'finding' as const, ...named, type, severity: severity.severity, tool, ...rest });
}

/**
 * A finding of the product's own JSON export as a record. What was fixed there counts as mitigated, unless a verdict says more.
 */
export function exportedRecord(value: unknown): FlatRecord | undefined {
  const { attributes } = fields(value);
  if (!isRecord(attributes)) return undefined;
  const isOpen = attributes.verdict === undefined || OPEN.has(wordOf(attributes.verdict));
  const isFixed = attributes.status === 'mitigated' && isOpen;
  return {
    ...attributes,
    ...(isFixed ? { verdict: 'mitigated_externally', verdict_reason: 'Fixed in the export.' } : {}),
  };
}
