import type { Location, NormalizedFinding, ParseOptions, ReportParser, ReportRecord, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { cweNumbers } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { oneLine, plainText } from '../../lib/findings/text.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { readXml, type XmlElement, type XmlRecord, type XmlShape } from '../../lib/formats/xml.ts';
import { Tally, wrongTool } from '../../lib/json/records.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, label, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { parseSarifOf, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

const SARIF = SARIF_WRITERS.spotbugs;
const NAME = SARIF.name;
/** Source: spotbugs/etc/bugcollection.xsd, FindBugs 1.3 to SpotBugs 4.9. What is known of a pattern stands behind the results. */
const SHAPE: XmlShape = {
  root: 'BugCollection',
  namespace: '',
  records: ['BugInstance', 'BugPattern', 'Errors'],
  tool: NAME,
};
const Bug = Type.Object({ type: Type.String({ minLength: 1 }) });
type Bug = Static<typeof Bug>;
const bugCheck = recordCheck(Bug);

function recogniseSpotbugs(head: Uint8Array): number {
  const start = startText(head);
  return start.startsWith('<') ? (/<BugCollection[\s>]/.test(start) ? 0.98 : 0) : sarifScore(head, SARIF);
}

/** @throws ReportError */
const parseSpotbugs = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(
    report,
    (start) => (whole) => (start.startsWith('<') ? parseXml(whole, options) : parseSarifOf(SARIF, whole, options)),
  );

async function* parseXml(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  const held: NormalizedFinding[] = [];
  const patterns = new Map<string, XmlElement>();
  let toolVersion: string | undefined;
  for await (const record of readXml(report, SHAPE, signal)) {
    toolVersion ??= label(record.above[0]?.get('version'));
    const { element } = record;
    if (element.name === 'Errors') yield* errorsOf(element);
    else if (element.name === 'BugPattern') patterns.set(element.attributes.get('type') ?? '', element);
    else {
      const bug = Object.fromEntries(element.attributes);
      if (bugCheck.accepts(bug)) held.push(bugFinding(bug, record));
      else yield* tally.addUnreadable(`${record.path}[${held.length}]`, bugCheck.issue());
    }
  }
  tally.readable = held.length;
  yield defined({ kind: 'report' as const, toolName: NAME, toolVersion });
  for (const finding of held) yield withPattern(finding, patterns.get(finding.ruleId));
  tally.assertReadable((reason) => wrongTool(NAME, reason));
}

/** Classes that the analysis needed and did not have only make it less exact. */
function* errorsOf(element: XmlElement): Generator<ReportRecord> {
  for (const error of element.all('Error').slice(0, 100))
    yield scanFailure(error.textOf('ErrorMessage') ?? error.textOf('Exception') ?? 'A class could not be analysed.');
}

const PRIORITIES: ReadonlyMap<string | undefined, readonly [word: string, severity: Severity]> = new Map([
  ['1', ['High', 'high']],
  ['2', ['Medium', 'medium']],
  ['3', ['Low', 'low']],
]);

function bugFinding(bug: Bug, { element }: XmlRecord): NormalizedFinding {
  const { attributes } = element;
  const [nativeSeverity, severity] = PRIORITIES.get(attributes.get('priority')) ?? [
    'Ignored',
    'informational' as const,
  ];
  const said = element.textOf('LongMessage') ?? element.textOf('ShortMessage');
  const ruleId = label(bug.type) ?? 'unnamed pattern';
  const place = placeOf(element);
  const category = label(attributes.get('category'));
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(said ?? ruleId),
    type: 'SAST' as const,
    severity,
    nativeSeverity,
    description: text(said),
    cwe: cweNumbers(attributes.get('cweid')),
    locations: place === undefined ? undefined : [place],
    fingerprint: label(attributes.get('instanceHash')),
    policy: category === undefined ? undefined : { category },
    tags: category === undefined ? undefined : [category.toLowerCase()],
    language: 'java',
  });
}

/** The line of the bug itself, else where its method or class stands. Generated code has no line. */
function placeOf(bug: XmlElement): Location | undefined {
  const holders = [bug, ...bug.all('Method'), ...bug.all('Field'), ...bug.all('Class')];
  const places = holders.flatMap((holder) => holder.all('SourceLine'));
  const attributes = places.find((line) => line.attributes.has('sourcepath'))?.attributes;
  const path = normalisePath(attributes?.get('sourcepath'));
  if (path === undefined) return undefined;
  return defined({
    path,
    startLine: position(attributes?.get('start')),
    endLine: position(attributes?.get('end')),
  });
}

function withPattern(finding: NormalizedFinding, pattern: XmlElement | undefined): NormalizedFinding {
  if (pattern === undefined) return finding;
  const details = pattern.textOf('Details');
  return defined({
    ...finding,
    cwe: finding.cwe ?? cweNumbers(pattern.attributes.get('cweid')),
    title:
      finding.title === finding.ruleId ? oneLine(pattern.textOf('ShortDescription') ?? finding.title) : finding.title,
    mitigation: details === undefined ? undefined : plainText(details, LIMITS.snippetChars),
  });
}

export const spotbugs: ReportParser = {
  tool: 'spotbugs',
  formats: ['xml', 'sarif'],
  reads: orSarif({ part: {}, failure: ['`Errors/Error`'], identity: 'pattern, path and instance hash' }),
  recognise: recogniseSpotbugs,
  parse: advised(parseSpotbugs, 'spotbugs -xml:withMessages'),
};
