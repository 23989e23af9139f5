import { type ParseOptions, ReportError, type ReportParser, type ReportRecord } from '@breakwater/sdk';
import { headText, readReport } from '../../lib/input/decode.ts';
import { readJsonReport, readRecords, Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonReport, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { fields } from '../../lib/values/read.ts';
import { elementCheck, packageCheck, relationshipCheck, SpdxDocument } from './document.ts';
import { SpdxGraph } from './graph.ts';
import { readTagValue } from './tag-value.ts';

const DOCUMENT: JsonShape = {
  spdxVersion: 'value',
  SPDXID: 'value',
  creationInfo: 'value',
  documentDescribes: 'value',
  packages: 'records',
  relationships: 'records',
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
  return /^\s*SPDXVersion:\s*SPDX-/m.test(bytes.toString('utf8', 0, 16 * 1024));
}

/** @throws ReportError */
async function* parseSpdx(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, options.signal);
  if (isTagValue(bytes)) yield* readTags(bytes, options);
  else {
    refuseOtherForms(bytes);
    yield* readJsonReport(bytes, { name: NAME, shape: SHAPE }, (json, tally) => readDocuments(json, tally, options));
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

function* readDocuments(json: JsonReport, tally: Tally, options: ParseOptions): Generator<ReportRecord> {
  for (const outer of json.documents) {
    const inner = WRAPPERS.flatMap((name) => outer.children.get(name) ?? []);
    for (const document of inner.length > 0 ? inner : [outer]) yield* readDocument(json, document, tally, options);
  }
  // An empty inventory says so in its frame; `[]` and `null` are none.
  if (json.documents.length === 0 || json.loose.length > 0) throw wrongTool(NAME, undefined, 'it has no “spdxVersion”');
}

function* readDocument(json: JsonReport, node: JsonNode, tally: Tally, options: ParseOptions): Generator<ReportRecord> {
  const { family, signal } = options;
  const elements = node.records.get('@graph');
  if (elements !== undefined) {
    const graph = new SpdxGraph();
    const source = { report: json, ranges: elements, list: '@graph', check: elementCheck, tally, signal };
    yield* readRecords(source, (element, index) =>
      graph.add(fields(element)) ? undefined : refused(tally, `@graph[${index}]`),
    );
    yield* graph.records(family);
    return;
  }
  if (!node.values.has('spdxVersion') && !node.values.has('SPDXID'))
    throw wrongTool(NAME, undefined, 'it has no “spdxVersion”');
  const document = new SpdxDocument();
  const packages = node.records.get('packages');
  if (packages !== undefined) {
    const source = { report: json, ranges: packages, list: 'packages', check: packageCheck, tally, signal };
    yield* readRecords(source, (record, index) =>
      document.addPackage(record) ? undefined : refused(tally, `packages[${index}]`),
    );
  }
  const relationships = node.records.get('relationships');
  if (relationships !== undefined) {
    const source = { report: json, ranges: relationships, list: 'relationships', check: relationshipCheck, signal };
    yield* readRecords({ ...source, tally: new Tally() }, (relationship) => {
      document.addRelationship(relationship);
      return undefined;
    });
  }
  document.addRoots(node.values.get('documentDescribes'));
  yield* document.records(fields(node.values.get('creationInfo')), family);
}

/** Takes back that the record was readable. */
function refused(tally: Tally, where: string): Generator<ReportRecord> {
  tally.readable -= 1;
  return tally.fault(where, NO_NAME);
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
      else yield* tally.fault(`line ${part.line}`, NO_NAME);
    } else if ('relationship' in part) document.addRelationship(part.relationship);
    else if ('fault' in part) yield* tally.fault(`line ${part.line}`, part.fault);
    else if ('creator' in part) creators.push(part.creator);
    else if ('created' in part) created = part.created;
  }
  yield* document.records({ creators, created }, family);
  tally.assertReadable((reason) => wrongTool(NAME, undefined, reason));
}

export const spdx: ReportParser = {
  tool: 'spdx',
  formats: ['spdx-json', 'spdx-tag-value', 'json'],
  recognise: recogniseSpdx,
  parse: parseSpdx,
};
