import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { readXml, type XmlElement, type XmlShape } from '../../lib/formats/xml.ts';
import { headText, peek, readReport } from '../../lib/input/decode.ts';
import { parseRecord, readJsonReport, Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonReport, JsonShape } from '../../lib/json/report.ts';
import { Ranges } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import type { RecordCheck } from '../../lib/values/schema.ts';
import { bomRecords, type Part } from './bom.ts';
import { componentCheck, dependencyCheck, vulnerabilityCheck } from './inventory.ts';
import { componentFromXml, dependencyFromXml, metadataFromXml, vulnerabilityFromXml } from './xml.ts';

const SHAPE: JsonShape = {
  bomFormat: 'value',
  specVersion: 'value',
  metadata: { object: { component: 'value', timestamp: 'value', tools: 'value' } },
  components: 'records',
  dependencies: 'records',
  vulnerabilities: 'records',
};
const NAME = 'CycloneDX';
const XML: XmlShape = {
  root: 'bom',
  namespace: 'cyclonedx.org',
  records: [
    'metadata/timestamp',
    'metadata/tools/tool',
    'metadata/tools/components/component',
    'metadata/component',
    'components/component',
    'dependencies/dependency',
    'vulnerabilities/vulnerability',
  ],
  tool: NAME,
};

function recogniseCyclonedx(head: Uint8Array): number {
  const start = headText(head).toString('utf8', 0, 2_048).trimStart();
  if (start.startsWith('<')) return /<bom[^>]*cyclonedx\.org/i.test(start) ? 0.98 : 0;
  const sketch = sketchJson(head);
  if (sketch.texts.get('bomFormat') === 'CycloneDX') return 0.99;
  return hasKeys(sketch, 'specVersion') && (hasKeys(sketch, 'components') || hasKeys(sketch, 'serialNumber')) ? 0.8 : 0;
}

/** @throws ReportError */
async function* parseCyclonedx(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  const start = await peek(report, 1_024);
  const isXml = headText(start.head).toString('utf8').trimStart().startsWith('<');
  yield* isXml ? parseXml(start.report, options) : parseJson(start.report, options);
}

async function* parseJson(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, options.signal);
  yield* readJsonReport(bytes, { name: NAME, shape: SHAPE }, (json, tally) => readBoms(json, tally, options));
}

function* readBoms(json: JsonReport, tally: Tally, { signal, family }: ParseOptions): Generator<ReportRecord> {
  for (const document of json.documents) {
    const isBom = document.values.get('bomFormat') === 'CycloneDX' || document.values.has('specVersion');
    if (!isBom) throw wrongTool(NAME, undefined, 'it has no “bomFormat”');
    const metadata = document.children.get('metadata')?.[0];
    const bom = {
      metadata: Object.fromEntries(metadata?.values ?? []),
      components: parts(json, document, 'components', componentCheck, signal),
      dependencies: parts(json, document, 'dependencies', dependencyCheck, signal),
      vulnerabilities: parts(json, document, 'vulnerabilities', vulnerabilityCheck, signal),
    };
    yield* bomRecords(bom, tally, family);
  }
  // An empty inventory says so in its frame; `[]` and `null` are none.
  if (json.documents.length === 0 || json.loose.length > 0) throw wrongTool(NAME, undefined, 'it has no “bomFormat”');
}

function* parts<T>(
  json: JsonReport,
  document: JsonNode,
  list: string,
  check: RecordCheck<T>,
  signal: AbortSignal,
): Generator<Part<T>> {
  const ranges = document.records.get(list) ?? new Ranges();
  for (let index = 0; index < ranges.length; index += 1) {
    if (index % 256 === 0) signal.throwIfAborted();
    const where = `${list}[${index}]`;
    const read = parseRecord(json.bytes, ranges.start(index), ranges.end(index));
    if ('fault' in read) yield { fault: read.fault, where };
    else yield checked(read.value, check, where);
  }
}

function checked<T>(value: unknown, check: RecordCheck<T>, where: string): Part<T> {
  return check.accepts(value) ? { value, where } : { fault: check.fault(), where };
}

interface XmlParts {
  component?: XmlElement;
  timestamp?: string;
  tool?: XmlElement;
  components: unknown[];
  dependencies: unknown[];
  vulnerabilities: unknown[];
}

async function* parseXml(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  const found: XmlParts = { components: [], dependencies: [], vulnerabilities: [] };
  for await (const { path, element } of readXml(report, XML, options.signal)) collect(found, path, element);
  const tally = new Tally();
  const bom = {
    metadata: metadataFromXml(found),
    components: checkedAll(found.components, componentCheck, 'components'),
    dependencies: checkedAll(found.dependencies, dependencyCheck, 'dependencies'),
    vulnerabilities: checkedAll(found.vulnerabilities, vulnerabilityCheck, 'vulnerabilities'),
  };
  yield* bomRecords(bom, tally, options.family);
  tally.assertReadable((reason) => wrongTool(NAME, undefined, reason));
}

function collect(found: XmlParts, path: string, element: XmlElement): void {
  if (path === 'components/component') {
    found.components.push(componentFromXml(element));
    for (const inner of element.child('vulnerabilities')?.all('vulnerability') ?? []) {
      found.vulnerabilities.push(vulnerabilityFromXml(inner));
    }
  } else if (path === 'dependencies/dependency') found.dependencies.push(dependencyFromXml(element));
  else if (path === 'vulnerabilities/vulnerability') found.vulnerabilities.push(vulnerabilityFromXml(element));
  else if (path === 'metadata/timestamp') found.timestamp = element.text;
  else if (path === 'metadata/component') found.component = element;
  else found.tool ??= element;
}

function* checkedAll<T>(values: readonly unknown[], check: RecordCheck<T>, list: string): Generator<Part<T>> {
  for (const [index, value] of values.entries()) yield checked(value, check, `${list}[${index}]`);
}

export const cyclonedx: ReportParser = {
  tool: 'cyclonedx',
  formats: ['cyclonedx-json', 'cyclonedx-xml', 'json', 'xml'],
  recognise: recogniseCyclonedx,
  parse: parseCyclonedx,
};
