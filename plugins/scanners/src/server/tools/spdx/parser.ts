import { type ParseOptions, ReportError, type ReportParser, type ReportRecord } from '@breakwater/sdk';
import { headText, peek, readReport } from '../../lib/input/decode.ts';
import { Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { type RecordReader, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { fields } from '../../lib/values/read.ts';
import {
  elementCheck,
  packageCheck,
  relationshipCheck,
  SpdxDocument,
  type SpdxPackage,
  type SpdxRelationship,
} from './document.ts';
import { SpdxGraph } from './graph.ts';
import { type ExtractedLicense, licenseCheck } from './licenses.ts';
import { readTagValue } from './tag-value.ts';

const DOCUMENT: JsonShape = {
  spdxVersion: 'value',
  SPDXID: 'value',
  creationInfo: 'value',
  documentDescribes: 'value',
  packages: 'records',
  relationships: 'records',
  hasExtractedLicensingInfos: 'records',
  '@context': 'value',
  '@graph': 'records',
};
/** GitHub's API, attestations and Docker's buildx put the document into another. */
const WRAPPERS = ['sbom', 'predicate', 'SPDX'] as const;
const SHAPE: JsonShape = {
  ...DOCUMENT,
  ...Object.fromEntries(WRAPPERS.map((name) => [name, { object: DOCUMENT }])),
};
const NAME = 'SPDX';
const NO_NAME = 'is a package without a name';

function recogniseSpdx(head: Uint8Array): number {
  if (isTagValue(headText(head))) return 0.98;
  const sketch = sketchJson(head);
  if (sketch.texts.get('spdxVersion')?.startsWith('SPDX-')) return 0.99;
  if (/spdx\.org/i.test(sketch.texts.get('@context') ?? '') || innerHas(sketch, '@graph', 'spdxId')) return 0.98;
  if (WRAPPERS.some((name) => innerHas(sketch, name, 'spdxVersion'))) return 0.98;
  return innerHas(sketch, 'packages', 'SPDXID') || hasKeys(sketch, 'SPDXID', 'creationInfo') ? 0.95 : 0;
}

function isTagValue(bytes: Buffer): boolean {
  return /^[ \t]*SPDXVersion:[ \t]*SPDX-/m.test(bytes.toString('utf8', 0, 16 * 1024));
}

/** @throws ReportError */
async function* parseSpdx(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  const start = await peek(report, 16 * 1024);
  const head = headText(start.head);
  if (isTagValue(head)) yield* readTags(await readReport(start.report, options.signal), options);
  else {
    refuseOtherForms(head);
    yield* readJson(start.report, options, { name: NAME, shape: SHAPE }, (tally) => createReader(tally, options));
  }
}

/** @throws ReportError for the forms of SPDX that are not read */
function refuseOtherForms(bytes: Buffer): void {
  const start = bytes.toString('utf8', 0, 16 * 1024);
  const isRdf = /^\s*</.test(start) && /spdx\.org\/rdf/i.test(start);
  const isYaml = !/^\s*[[{]/.test(start) && /^["']?spdxVersion["']?:\s*["']?SPDX-/m.test(start);
  if (!isRdf && !isYaml) return;
  const form = isRdf ? 'RDF' : 'YAML';
  throw new ReportError(
    'report_malformed',
    `This is SPDX as ${form}, which is not read here. Export it as JSON or tag-value and upload that.`,
  );
}

/** What is read of one document, which is put together at its end. */
interface Reading {
  document: SpdxDocument;
  graph: SpdxGraph;
}

function createReader(tally: Tally, { family }: ParseOptions): StreamReader {
  const readings = new WeakMap<JsonNode, Reading>();
  const readingOf = (node: JsonNode | undefined): Reading => {
    if (node === undefined) throw wrongTool(NAME, 'it has no “spdxVersion”');
    const reading = readings.get(node) ?? { document: new SpdxDocument(), graph: new SpdxGraph() };
    readings.set(node, reading);
    return reading;
  };
  /** Elements that the document takes, or refuses for want of a name. */
  const elements =
    <T>(list: string, check: RecordReader<T>['check'], add: (reading: Reading, value: T) => boolean) =>
    (node: JsonNode | undefined): RecordReader<T> => {
      const reading = readingOf(node);
      return { check, read: (value, index) => (add(reading, value) ? undefined : refused(tally, `${list}[${index}]`)) };
    };
  return {
    lists: {
      '@graph': elements('@graph', elementCheck, ({ graph }, value) => graph.add(fields(value))),
      packages: elements('packages', packageCheck, ({ document }, value: SpdxPackage) => document.addPackage(value)),
      relationships: (node) => {
        const { document } = readingOf(node);
        const read = (value: SpdxRelationship): undefined => void document.addRelationship(value);
        return { check: relationshipCheck, read, isSupplement: true };
      },
      hasExtractedLicensingInfos: (node) => {
        const { document } = readingOf(node);
        const read = (value: ExtractedLicense): undefined => void document.addLicense(value);
        return { check: licenseCheck, read, isSupplement: true };
      },
      report: () => {
        throw wrongTool(NAME, 'it has no “spdxVersion”');
      },
    },
    *document(outer) {
      const inner = WRAPPERS.flatMap((name) => outer.children.get(name) ?? []);
      for (const node of inner.length > 0 ? inner : [outer]) yield* recordsOf(node, readingOf(node), family);
    },
  };
}

function* recordsOf(node: JsonNode, { document, graph }: Reading, family: string | undefined): Generator<ReportRecord> {
  if (node.lists.has('@graph')) {
    yield* graph.records(family);
    return;
  }
  if (!node.values.has('spdxVersion') && !node.values.has('SPDXID')) throw wrongTool(NAME, 'it has no “spdxVersion”');
  document.addRoots(node.values.get('documentDescribes'));
  yield* document.records(fields(node.values.get('creationInfo')), family);
}

/** Takes back that the record was readable. */
function* refused(tally: Tally, where: string): Generator<ReportRecord> {
  tally.readable -= 1;
  yield* tally.addUnreadable(where, NO_NAME);
}

function* readTags(bytes: Buffer, { signal, family }: ParseOptions): Generator<ReportRecord> {
  const document = new SpdxDocument();
  const tally = new Tally();
  const creators: string[] = [];
  let created: string | undefined;
  let parts = 0;
  for (const part of readTagValue(bytes)) {
    parts += 1;
    if (parts % 256 === 0) signal.throwIfAborted();
    if ('package' in part) {
      if (document.addPackage(part.package)) tally.readable += 1;
      else yield* tally.addUnreadable(`line ${part.line}`, NO_NAME);
    } else if ('relationship' in part) document.addRelationship(part.relationship);
    else if ('license' in part) document.addLicense(part.license);
    else if ('issue' in part) yield* tally.addUnreadable(`line ${part.line}`, part.issue);
    else if ('creator' in part) creators.push(part.creator);
    else if ('created' in part) created = part.created;
  }
  yield* document.records({ creators, created }, family);
  tally.assertReadable((reason) => wrongTool(NAME, reason));
}

export const spdx: ReportParser = {
  tool: 'spdx',
  formats: ['spdx-json', 'spdx-tag-value', 'json'],
  reads: {
    part: { root: 'name of the described package' },
    failure: [],
    identity: 'vulnerability and package; package URL, else name, version and type',
  },
  recognise: recogniseSpdx,
  parse: parseSpdx,
};
