import type { Component, ParseOptions, ReportInfo, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { imageName, purlText } from '../../lib/findings/packages.ts';
import { readReport } from '../../lib/input/decode.ts';
import { readJsonReport, readRecords, Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonReport, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, label, list } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

/** One element of `artifacts`. Source: syft's syftjson/model/package.go, schemas 1.0 to 16.x. Only the oldest have no id. */
const Artifact = Type.Object({
  name: Type.String({ minLength: 1 }),
  id: Type.Optional(Type.Unknown()),
});
type Artifact = Static<typeof Artifact>;
const artifactCheck = recordCheck(Artifact);

/** An artifact outside of its report shows by the cataloger that it is one. */
const looseArtifactCheck = recordCheck(
  Type.Object({ name: Type.String({ minLength: 1 }), type: Type.String(), foundBy: Type.Unknown() }),
);

/** One element of `artifactRelationships`. Source: syft's syftjson/model/relationship.go. */
const Relationship = Type.Object({ parent: Type.String(), child: Type.String(), type: Type.String() });
const relationshipCheck = recordCheck(Relationship);

/** What each package needs, by the ids of the packages. */
type Edges = ReadonlyMap<string, readonly string[]>;

/** Makes the packages of one report, each under a ref of its own. */
class Packages {
  private readonly refs = new Set<string>();
  private readonly edges: Edges;

  constructor(edges: Edges) {
    this.edges = edges;
  }

  componentOf(artifact: Artifact): Component {
    const record = fields(artifact);
    const name = label(record.name) ?? 'unnamed package';
    const version = label(record.version);
    const purl = purlText(record.purl) ?? label(record.purl);
    const id = label(record.id);
    const licenses = licensesOf(record.licenses);
    const dependsOn = id === undefined ? undefined : this.edges.get(id);
    return defined({
      kind: 'component' as const,
      ref: this.refOf(id ?? purl ?? (version === undefined ? name : `${name}@${version}`)),
      name,
      version,
      purl,
      type: label(record.type),
      licenses: licenses.length === 0 ? undefined : licenses,
      dependsOn: dependsOn === undefined ? undefined : [...dependsOn],
    });
  }

  private refOf(wanted: string): string {
    const ref = this.refs.has(wanted) ? `${wanted}#${this.refs.size}` : wanted;
    this.refs.add(ref);
    return ref;
  }
}

/** Names until schema 8; since then what was found beside the SPDX expression it means. */
function licensesOf(value: unknown): string[] {
  const found = new Set<string>();
  for (const entry of list(value).slice(0, 100)) {
    const { spdxExpression, value: written } = fields(entry);
    const name = label(entry) ?? label(spdxExpression) ?? label(written);
    if (name !== undefined) found.add(name);
  }
  return [...found];
}

const SHAPE: JsonShape = {
  artifacts: 'records',
  artifactRelationships: 'records',
  source: 'value',
  descriptor: 'value',
  schema: 'value',
};
const NAME = 'Syft';

function recogniseSyft(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'artifacts', 'name', 'foundBy')) return 0.98;
  if (hasKeys(sketch, 'artifacts', 'schema')) return 0.95;
  if (hasKeys(sketch, 'artifacts') && hasKeys(sketch, 'source')) return 0.9;
  return hasKeys(sketch, 'name', 'foundBy', 'metadataType') ? 0.8 : 0;
}

/** @throws ReportError */
async function* parseSyft(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, options.signal);
  yield* readJsonReport(bytes, { name: NAME, shape: SHAPE }, (json, tally) =>
    readPackages(json, tally, options.signal),
  );
}

function* readPackages(json: JsonReport, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  for (const document of json.documents) {
    const artifacts = document.records.get('artifacts');
    const isOurs = document.values.size > 0 || document.records.has('artifactRelationships');
    if (artifacts === undefined || !isOurs) throw wrongTool(NAME, undefined, 'it has no “artifacts” with a “schema”');
    yield reportInfo(document);
    const edges = yield* readEdges(json, document, signal);
    const packages = new Packages(edges);
    const source = { report: json, ranges: artifacts, list: 'artifacts', check: artifactCheck, tally, signal };
    yield* readRecords(source, (artifact) => packages.componentOf(artifact));
  }
  const loose = { report: json, ranges: json.loose, list: 'report', check: looseArtifactCheck, tally, signal };
  const packages = new Packages(new Map());
  yield* readRecords(loose, (artifact) => packages.componentOf(artifact));
  // An empty inventory says so in its frame; `[]` and `null` are none.
  if (json.documents.length + json.loose.length + json.brokenLines.length === 0)
    throw wrongTool(NAME, undefined, 'it has no “artifacts”');
}

/** `parent` of a "dependency-of" is what `child` needs; the other relationships are about files. */
function* readEdges(json: JsonReport, document: JsonNode, signal: AbortSignal): Generator<ReportRecord, Edges> {
  const edges = new Map<string, string[]>();
  const ranges = document.records.get('artifactRelationships');
  if (ranges === undefined) return edges;
  const list = 'artifactRelationships';
  const source = { report: json, ranges, list, check: relationshipCheck, tally: new Tally(), signal };
  yield* readRecords(source, ({ parent, child, type }) => {
    if (type === 'dependency-of') addEdge(edges, label(child), label(parent));
    return undefined;
  });
  return edges;
}

function addEdge(edges: Map<string, string[]>, from: string | undefined, to: string | undefined): void {
  if (from === undefined || to === undefined) return;
  const targets = edges.get(from);
  if (targets === undefined) edges.set(from, [to]);
  else if (targets.length < LIMITS.nodes) targets.push(to);
}

function reportInfo(document: JsonNode): ReportInfo {
  return defined({
    kind: 'report' as const,
    toolName: NAME,
    toolVersion: label(fields(document.values.get('descriptor')).version),
    target: targetImage(fields(document.values.get('source'))),
  });
}

/** What the user named: under `target` until schema 6, under `metadata` since. Only an image's name lasts. */
function targetImage(source: Record<string, unknown>): string | undefined {
  if (source.type !== 'image') return undefined;
  const input = label(fields(source.metadata).userInput) ?? label(fields(source.target).userInput);
  return input === undefined || /\.(?:tar|tar\.gz|tgz)$|^[./]/.test(input) ? undefined : imageName(input);
}

export const syft: ReportParser = {
  tool: 'syft',
  formats: ['json'],
  recognise: recogniseSyft,
  parse: parseSyft,
};
