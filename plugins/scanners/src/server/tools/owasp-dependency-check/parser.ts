import type { ParseOptions, ReportInfo, ReportParser, ReportRecord } from '@breakwater/sdk';
import { partOf, scanFailure, scanFailures } from '../../lib/findings/coverage.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { readXml, type XmlElement, type XmlShape } from '../../lib/formats/xml.ts';
import { headText, peek } from '../../lib/input/decode.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import type { StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label } from '../../lib/values/read.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { checkDependency, type Dependency, dependencyFindings } from './dependency.ts';

const SHAPE: JsonShape = {
  reportSchema: 'value',
  scanInfo: { object: { engineVersion: 'value', analysisExceptions: 'value' } },
  projectInfo: 'value',
  dependencies: 'records',
};
const SARIF = SARIF_WRITERS.dependencyCheck;
const NAME = SARIF.name;
const XML: XmlShape = {
  root: 'analysis',
  namespace: 'dependency-check',
  records: [
    'scanInfo/engineVersion',
    'scanInfo/analysisExceptions/exception',
    'projectInfo/name',
    'projectInfo/reportDate',
    'dependencies/dependency',
  ],
  tool: NAME,
};

function recogniseDependencyCheck(head: Uint8Array): number {
  const start = headText(head).toString('utf8', 0, 2_048).trimStart();
  // at most 2,048 characters
  if (start.startsWith('<')) return /<analysis[^>]*dependency-check/i.test(start) ? 0.98 : 0;
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'reportSchema', 'scanInfo')) return 0.98;
  if (hasKeys(sketch, 'dependencies', 'projectInfo')) return 0.9;
  return innerHas(sketch, 'dependencies', 'fileName', 'evidenceCollected') ? 0.95 : sarifScore(head, SARIF);
}

/** @throws ReportError */
async function* parseDependencyCheck(
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const start = await peek(report, 1_024);
  const isXml = headText(start.head).toString('utf8').trimStart().startsWith('<');
  yield* isXml ? parseXml(start.report, options) : parseJson(start.report, options);
}

const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE }, createReader);

const createReader = (): StreamReader => ({
  lists: {
    dependencies: () => ({ check: checkDependency, read: dependencyFindings }),
    report: () => {
      throw wrongTool(NAME, 'it has no “dependencies”');
    },
  },
  *document(document) {
    const { values } = document;
    const scan = document.child('scanInfo');
    const isOurs = values.has('reportSchema') || scan !== undefined || values.has('projectInfo');
    if (!document.lists.has('dependencies') || !isOurs)
      throw wrongTool(NAME, 'it has no “dependencies” with “scanInfo”');
    yield reportInfo(scan?.values.get('engineVersion'), fields(values.get('projectInfo')).reportDate);
    yield* partOf({ project: label(fields(values.get('projectInfo')).name) });
    yield* scanFailures(scan?.values.get('analysisExceptions'), exceptionText);
  },
});

async function* parseXml(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  let version: string | undefined;
  let date: string | undefined;
  for await (const { path, element } of readXml(report, XML, options.signal)) {
    if (path === 'scanInfo/engineVersion') version = element.text;
    else if (path === 'projectInfo/reportDate') date = element.text;
    else if (path === 'projectInfo/name') yield* partOf({ project: label(element.text) });
    else if (path === 'scanInfo/analysisExceptions/exception')
      yield scanFailure(element.textOf('message') ?? 'An analyser failed.');
    else yield* dependencyFindings(dependencyFromXml(element));
  }
  yield reportInfo(version, date);
}

/** An analyser that failed, in JSON below `exception`. */
function exceptionText(entry: Record<string, unknown>): string {
  return label(fields(entry.exception).message) ?? label(entry.message) ?? 'An analyser failed.';
}

function reportInfo(version: unknown, date: unknown): ReportInfo {
  return defined({ kind: 'report' as const, toolName: NAME, toolVersion: label(version), date: isoDate(date) });
}

export const dependencyCheck: ReportParser = {
  tool: 'owasp-dependency-check',
  aliases: ['dependency-check'],
  formats: ['json', 'xml', 'sarif'],
  reads: orSarif({
    part: { project: '`projectInfo.name`' },
    failure: ['`scanInfo.analysisExceptions[]`'],
    identity: 'vulnerability, package and file',
  }),
  recognise: recogniseDependencyCheck,
  parse: advised(parseDependencyCheck, 'dependency-check --format JSON'),
};

/** A `<dependency>` of any schema version in the form of the JSON report. */
export function dependencyFromXml(element: XmlElement): Dependency {
  const vulnerabilities = element.child('vulnerabilities');
  return defined({
    fileName: element.textOf('fileName'),
    filePath: element.textOf('filePath'),
    packages: packagesOf(element.child('identifiers')),
    vulnerabilities: vulnerabilities?.all('vulnerability').map(vulnerabilityOf),
    suppressedVulnerabilities: vulnerabilities?.all('suppressedVulnerability').map(vulnerabilityOf),
  });
}

function packagesOf(identifiers: XmlElement | undefined): unknown[] {
  const packages = identifiers?.all('package').map((entry) => ({ id: entry.textOf('id') })) ?? [];
  // Until version 4: <identifier type="maven"><name>group:artifact:version</name>.
  const older = identifiers?.all('identifier').filter((entry) => entry.attributes.get('type') !== 'cpe') ?? [];
  return [...packages, ...older.map((entry) => ({ id: entry.textOf('name')?.replace(/^\(|\)$/g, '') }))];
}

function vulnerabilityOf(element: XmlElement): Record<string, unknown> {
  return {
    source: element.attributes.get('source'),
    name: element.textOf('name'),
    severity: element.textOf('severity'),
    description: element.textOf('description'),
    notes: element.textOf('notes'),
    cwes: [...(element.child('cwes')?.all('cwe') ?? []), ...element.all('cwe')].map((cwe) => cwe.text),
    cvssv2: element.child('cvssV2') === undefined ? legacyCvss(element) : texts(element.child('cvssV2')),
    cvssv3: texts(element.child('cvssV3')),
    cvssv4: texts(element.child('cvssV4')),
    references: element.child('references')?.all('reference').map(texts),
    vulnerableSoftware: element
      .child('vulnerableSoftware')
      ?.all('software')
      .map((software) => ({
        software: { ...Object.fromEntries(software.attributes), id: software.text },
      })),
  };
}

/** The children's texts by name. */
function texts(element: XmlElement | undefined): Record<string, unknown> {
  return Object.fromEntries(element?.children.map((child) => [child.name, child.text]) ?? []);
}

/** Until version 4 the rating stands beside the name: <cvssScore>, <cvssAccessVector> … */
function legacyCvss(element: XmlElement): Record<string, unknown> {
  return {
    score: element.textOf('cvssScore'),
    accessVector: element.textOf('cvssAccessVector'),
    accessComplexity: element.textOf('cvssAccessComplexity'),
    authenticationr: element.textOf('cvssAuthenticationr'),
    confidentialImpact: element.textOf('cvssConfidentialImpact'),
    integrityImpact: element.textOf('cvssIntegrityImpact'),
    availabilityImpact: element.textOf('cvssAvailabilityImpact'),
  };
}
