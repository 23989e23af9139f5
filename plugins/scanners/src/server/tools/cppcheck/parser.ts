import type { Location, NormalizedFinding, ParseOptions, ReportParser, ReportRecord, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { inCheckout } from '../../lib/findings/checkout-paths.ts';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { cweNumbers } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { oneLine } from '../../lib/findings/text.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { readXmlReport, type XmlFormat } from '../../lib/formats/xml-report.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, label, list, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { parseSarifOf, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

const SARIF = SARIF_WRITERS.cppcheck;
const NAME = SARIF.name;

const Result = Type.Object({ id: Type.String({ minLength: 1 }) });
type Result = Static<typeof Result>;

/** What it says of a file that it could not analyse. Source: cppcheck lib/cppcheck.cpp and lib/tokenize.cpp. */
const FAILED = new Set(
  'syntaxError internalError internalAstError cppcheckError unknownMacro noValidConfiguration preprocessorErrorDirective'.split(
    ' ',
  ),
);

/** Version 2 of the format, and version 1, which had no list and one place. Source: cppcheck lib/errorlogger.cpp. */
const XML: XmlFormat<Result> = {
  shape: { root: 'results', namespace: '', records: ['errors/error', 'error'], tool: NAME },
  check: recordCheck(Result),
  record({ element }) {
    const own = Object.fromEntries(element.attributes);
    const places = element.all('location').map(({ attributes }) => Object.fromEntries(attributes));
    const hasPlace = places.length > 0 || own.file !== undefined;
    // Remarks on the run itself, such as headers that were not found.
    if (!hasPlace && own.severity === 'information') return undefined;
    return { ...own, symbol: element.textOf('symbol'), places: places.length > 0 || !hasPlace ? places : [own] };
  },
};

const isXml = (start: string): boolean => /^(?:<\?xml[^>]{0,200}\?>\s*)?<results(?:\s[^>]{0,200})?>/.test(start);

function recogniseCppcheck(head: Uint8Array): number {
  const start = startText(head);
  if (!isXml(start)) return sarifScore(head, SARIF);
  const isResult = start.includes('<error ') && start.includes(' severity="') && start.includes(' msg="');
  return isResult || start.includes('<cppcheck ') ? 0.97 : 0.2;
}

/** @throws ReportError */
const parseCppcheck = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(
    report,
    (start) => (whole) =>
      start.startsWith('<') ? inCheckout(readResults(whole, options)) : parseSarifOf(SARIF, whole, options),
  );

async function* readResults(whole: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  const failed: string[] = [];
  yield* readXmlReport(whole, XML, options.signal, (result) => {
    const finding = resultFinding(fields(result));
    if (FAILED.has(finding.ruleId))
      failed.push(`${finding.locations?.[0]?.path ?? 'A file'} could not be analysed: ${finding.title}`);
    return finding;
  });
  for (const why of failed.slice(0, 100)) yield scanFailure(why);
}

function resultFinding(result: Record<string, unknown>): NormalizedFinding {
  const ruleId = label(result.id) ?? 'unnamed check';
  const said = text(result.msg);
  const nativeSeverity = label(result.severity);
  const places = list(result.places)
    .slice(0, LIMITS.flowSteps)
    .map((place) => placeOf(fields(place)))
    .filter((place) => place !== undefined);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(said ?? ruleId),
    type: 'SAST' as const,
    severity: SEVERITIES.get(nativeSeverity ?? '') ?? 'informational',
    nativeSeverity,
    description: text(result.verbose) ?? said,
    cwe: cweNumbers(result.cwe),
    locations: places.length === 0 ? undefined : places.slice(0, 1),
    // The last step is the place itself, which the report has first.
    codeFlows: places.length > 1 ? [[...places].reverse()] : undefined,
    tags: result.inconclusive === 'true' ? ['inconclusive'] : undefined,
  });
}

const SEVERITIES: ReadonlyMap<string, Severity> = new Map([
  ['error', 'high'],
  ['warning', 'medium'],
  ['style', 'low'],
  ['performance', 'low'],
  ['portability', 'low'],
]);

function placeOf(place: Record<string, unknown>): Location | undefined {
  const path = normalisePath(place.file);
  if (path === undefined) return undefined;
  return defined({
    ...{ path, startLine: position(place.line), startColumn: position(place.column) },
    message: text(place.info, 2_000),
  });
}

export const cppcheck: ReportParser = {
  tool: 'cppcheck',
  formats: ['xml', 'sarif'],
  reads: orSarif({
    part: {},
    failure: ['a result that says that a file could not be analysed'],
    identity: 'check and path',
  }),
  recognise: recogniseCppcheck,
  parse: advised(parseCppcheck, 'cppcheck --xml'),
};
