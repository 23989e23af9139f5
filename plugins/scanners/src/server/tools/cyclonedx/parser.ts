import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { readXml, type XmlElement, type XmlShape } from '../../lib/formats/xml.ts';
import { headText, peek } from '../../lib/input/decode.ts';
import { Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import type { RecordCheck } from '../../lib/values/schema.ts';
import { Bom } from './bom.ts';
import {
  type BomComponent,
  type BomDependency,
  type BomVulnerability,
  componentCheck,
  dependencyCheck,
  vulnerabilityCheck,
} from './inventory.ts';
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
  // at most 2,048 characters
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

const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, { name: NAME, shape: SHAPE }, (tally) => createReader(tally, options));

function createReader(tally: Tally, { family }: ParseOptions): StreamReader {
  const boms = new WeakMap<JsonNode, Bom>();
  const bomOf = (document: JsonNode | undefined): Bom => {
    if (document === undefined) throw wrongTool(NAME, 'it has no “bomFormat”');
    const bom = boms.get(document) ?? new Bom(family);
    boms.set(document, bom);
    return bom;
  };
  const components = (document: JsonNode | undefined) => {
    const bom = bomOf(document);
    const read = (component: BomComponent, index: number) => bom.addComponent(component, `components[${index}]`);
    return { check: componentCheck, read };
  };
  return {
    lists: {
      components,
      dependencies: (document) => {
        const bom = bomOf(document);
        return { check: dependencyCheck, read: (dependency: BomDependency) => bom.addDependency(dependency) };
      },
      vulnerabilities: (document) => {
        const bom = bomOf(document);
        if (document?.isClosed === false) return LATER;
        return { check: vulnerabilityCheck, read: (found: BomVulnerability) => bom.vulnerability(found) };
      },
      report: components,
    },
    *frame(document) {
      const isBom = document.values.get('bomFormat') === 'CycloneDX' || document.values.has('specVersion');
      if (!isBom) throw wrongTool(NAME, 'it has no “bomFormat”');
      yield* bomOf(document).frame(Object.fromEntries(document.child('metadata')?.values ?? []), tally);
    },
  };
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
  const bom = new Bom(options.family);
  yield* each(found.components, componentCheck, 'components', tally, (value, where) => bom.addComponent(value, where));
  yield* each(found.dependencies, dependencyCheck, 'dependencies', tally, (value) => bom.addDependency(value));
  yield* bom.frame(metadataFromXml(found), tally);
  yield* each(found.vulnerabilities, vulnerabilityCheck, 'vulnerabilities', tally, (value) => bom.vulnerability(value));
  tally.assertReadable((reason) => wrongTool(NAME, reason));
}

function collect(found: XmlParts, path: string, element: XmlElement): void {
  if (path === 'components/component') found.components.push(componentFromXml(element));
  else if (path === 'dependencies/dependency') found.dependencies.push(dependencyFromXml(element));
  else if (path === 'vulnerabilities/vulnerability') found.vulnerabilities.push(vulnerabilityFromXml(element));
  else if (path === 'metadata/timestamp') found.timestamp = element.text;
  else if (path === 'metadata/component') found.component = element;
  else found.tool ??= element;
}

function* each<T>(
  values: readonly unknown[],
  check: RecordCheck<T>,
  list: string,
  tally: Tally,
  read: (value: T, where: string) => Iterable<ReportRecord> | undefined,
): Generator<ReportRecord> {
  for (const [index, value] of values.entries()) {
    const where = `${list}[${index}]`;
    if (!check.accepts(value)) {
      yield* tally.addUnreadable(where, check.issue());
      continue;
    }
    tally.readable += 1;
    yield* read(value, where) ?? [];
  }
}

export const cyclonedx: ReportParser = {
  tool: 'cyclonedx',
  formats: ['cyclonedx-json', 'cyclonedx-xml', 'json', 'xml'],
  reads: {
    part: { root: '`metadata.component`: group and name' },
    failure: [],
    identity: 'vulnerability and package; package URL, else group, name, version and type',
  },
  recognise: recogniseCyclonedx,
  parse: parseCyclonedx,
};
