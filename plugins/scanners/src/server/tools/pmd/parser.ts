import type {
  NormalizedFinding,
  ParseOptions,
  ReportInfo,
  ReportParser,
  ReportRecord,
  ScanFailure,
  Severity,
} from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { inCheckout } from '../../lib/findings/checkout-paths.ts';
import { scanFailure, scanFailures } from '../../lib/findings/coverage.ts';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { isoDate, oneLine } from '../../lib/findings/text.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { csvColumns, readTableReport } from '../../lib/formats/csv.ts';
import { readXml, rootName, type XmlElement, type XmlShape } from '../../lib/formats/xml.ts';
import { headText } from '../../lib/input/decode.ts';
import { Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

const SARIF = SARIF_WRITERS.pmd;
const NAME = SARIF.name;

/** A violation as JSON has it; the other formats are read into the same fields. Source: PMD's JsonRenderer, formatVersion 0. */
const Violation = Type.Object({ rule: Type.String({ minLength: 1 }) });
type Violation = Static<typeof Violation>;
const violationCheck = recordCheck(Violation);

const FILES = { each: { filename: 'value', violations: 'records' } } as const;
const JSON_SHAPE: JsonShape = {
  formatVersion: 'value',
  pmdVersion: 'value',
  timestamp: 'value',
  files: FILES,
  suppressedViolations: FILES,
  processingErrors: 'value',
  configurationErrors: 'value',
};

/**
 * Source: PMD's XMLRenderer, versions 5 to 7. A suppressed violation names neither rule nor line there, so it is left out; JSON has all
 * of it. Copied code (`pmd-cpd`) is a report of another tool.
 */
const XML_SHAPE: XmlShape = {
  root: 'pmd',
  namespace: '',
  records: ['file/violation', 'error', 'configerror'],
  tool: NAME,
};

const COLUMNS = ['File', 'Priority', 'Line', 'Description', 'Rule set', 'Rule'];

const isCsv = (head: Buffer): boolean => {
  const columns = csvColumns(head);
  return COLUMNS.every((name) => columns.includes(name));
};

function recognisePmd(head: Uint8Array): number {
  const start = startText(head);
  if (start.startsWith('<')) return rootName(start) === 'pmd' ? 0.98 : 0;
  if (!start.startsWith('{')) return isCsv(headText(head)) ? 0.97 : 0;
  return hasKeys(sketchJson(head), 'formatVersion', 'pmdVersion') ? 0.98 : sarifScore(head, SARIF);
}

/** @throws ReportError */
const parsePmd = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => (whole) => {
    if (start.startsWith('<')) return inCheckout(parseXml(whole, options));
    return /^[[{]/.test(start) ? parseJson(whole, options) : inCheckout(parseCsv(whole, options));
  });

/** SARIF says itself where the checkout is; what is relative already stays as it is. */
const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  inCheckout(readJsonOrSarif(report, options, { writer: SARIF, shape: JSON_SHAPE }, createJsonReader));

function createJsonReader(): StreamReader {
  const violations = (file: JsonNode | undefined) => {
    const name = file?.values.get('filename');
    if (file !== undefined && !file.isClosed && name === undefined) return LATER;
    const isSuppressed = file?.key === 'suppressedViolations';
    return {
      check: violationCheck,
      read: (violation: Violation) => violationFinding(violation, name, isSuppressed),
    };
  };
  return {
    lists: { violations },
    *document({ values, children }) {
      if (!children.has('files')) throw wrongTool(NAME, 'it has no “files”');
      yield infoOf(values.get('pmdVersion'), values.get('timestamp'));
      yield* scanFailures(values.get('processingErrors'), ({ filename, message }) => fileFailure(filename, message));
      yield* scanFailures(values.get('configurationErrors'), ({ rule, message }) => ruleFailure(rule, message));
    },
  };
}

async function* parseXml(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  let head: ReadonlyMap<string, string> | undefined;
  let index = 0;
  for await (const { element, above, path } of readXml(report, XML_SHAPE, signal)) {
    head ??= above[0];
    if (element.name !== 'violation') {
      yield failureOf(element);
      continue;
    }
    const violation = { ...Object.fromEntries(element.attributes), description: element.text };
    if (violationCheck.accepts(violation)) {
      tally.readable += 1;
      yield violationFinding(violation, above.at(-1)?.get('name'), false);
    } else yield* tally.addUnreadable(`${path}[${index}]`, violationCheck.issue());
    index += 1;
  }
  yield infoOf(head?.get('version'), head?.get('timestamp'));
  tally.assertReadable((reason) => wrongTool(NAME, reason));
}

function parseCsv(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> {
  const refuse = (bytes: Buffer): string | undefined =>
    isCsv(bytes) ? undefined : 'its first line does not name the columns of the renderer “csv”';
  return readTableReport(report, options, { tool: NAME, refuse, column: columnOf, check: violationCheck }, (row) =>
    violationFinding(row, fields(row).filename, false),
  );
}

const FIELDS: Readonly<Record<string, string>> = { File: 'filename', Line: 'beginline', 'Rule set': 'ruleset' };
const columnOf = (name: string): string => FIELDS[name] ?? name.toLowerCase();

const infoOf = (version: unknown, timestamp: unknown): ReportInfo =>
  defined({ kind: 'report' as const, toolName: NAME, toolVersion: label(version), date: isoDate(timestamp) });

const fileFailure = (file: unknown, message: unknown): string =>
  `${label(file) ?? 'A file'}: ${label(message) ?? 'could not be analysed'}`;
const ruleFailure = (rule: unknown, message: unknown): string =>
  `The rule ${label(rule) ?? 'without a name'} did not run: ${label(message) ?? 'it is not configured correctly'}`;

function failureOf({ name, attributes }: XmlElement): ScanFailure {
  const message = attributes.get('msg');
  const failed = name === 'error' ? fileFailure(attributes.get('filename'), message) : undefined;
  return scanFailure(failed ?? ruleFailure(attributes.get('rule'), message));
}

/** PMD's names of its priorities. Severities are those that its SARIF gives: error, error, warning, note, note. */
const PRIORITIES: ReadonlyMap<string | undefined, readonly [word: string, severity: Severity]> = new Map([
  ['1', ['High', 'high']],
  ['2', ['Medium High', 'high']],
  ['3', ['Medium', 'medium']],
  ['4', ['Medium Low', 'low']],
  ['5', ['Low', 'low']],
]);

function violationFinding(violation: Violation, file: unknown, isSuppressed: boolean): NormalizedFinding {
  const record = fields(violation);
  const ruleId = label(violation.rule) ?? 'unnamed rule';
  const description = text(record.description);
  const [nativeSeverity, severity] = PRIORITIES.get(label(record.priority)) ?? [undefined, 'informational' as const];
  const path = normalisePath(file);
  const ruleset = label(record.ruleset);
  const place = {
    startLine: position(record.beginline),
    endLine: position(record.endline),
    startColumn: position(record.begincolumn),
    endColumn: position(record.endcolumn),
  };
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(description ?? ruleId),
    type: 'SAST' as const,
    severity,
    nativeSeverity,
    description,
    references: webAddresses(record.externalInfoUrl),
    locations: path === undefined ? undefined : [defined({ path, ...place })],
    policy: ruleset === undefined ? undefined : { category: ruleset },
    suppressed: isSuppressed ? suppression(record.usermsg) : undefined,
  });
}

/** By a comment `NOPMD` or an annotation, with what its author wrote beside it. */
function suppression(message: unknown): NonNullable<NormalizedFinding['suppressed']> {
  return {
    verdict: 'accepted_risk',
    reason: oneLine(text(message) ?? 'Suppressed in the code (NOPMD or annotation).'),
  };
}

export const pmd: ReportParser = {
  tool: 'pmd',
  formats: ['xml', 'csv', 'json', 'sarif'],
  reads: orSarif({
    part: {},
    failure: ['`error`, `processingErrors[]`', '`configerror`, `configurationErrors[]`'],
    identity: 'rule and path',
  }),
  recognise: recognisePmd,
  parse: advised(parsePmd, 'pmd check -f xml'),
};
