import type { Component, ParseOptions, ReportInfo, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { lastingName, partOf } from '../../lib/findings/coverage.ts';
import { imageName, purlText } from '../../lib/findings/packages.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, label, list } from '../../lib/values/read.ts';
import { type RecordCheck, recordCheck } from '../../lib/values/schema.ts';

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
type Relationship = Static<typeof Relationship>;
const relationshipCheck = recordCheck(Relationship);

/** The packages of one report, each under a ref of its own. What they need stands behind them. */
class Packages {
  readonly components: Component[] = [];
  private readonly refs = new Set<string>();
  private readonly byId = new Map<string, Component>();
  private readonly edges: [child: string, parent: string][] = [];

  add(artifact: Artifact): undefined {
    const component = this.componentOf(artifact);
    const id = label(artifact.id);
    this.components.push(component);
    if (id !== undefined) this.byId.set(id, component);
  }

  /** `parent` of a "dependency-of" is what `child` needs; the other relationships are about files. */
  relate({ parent, child, type }: Relationship): undefined {
    const from = type === 'dependency-of' ? label(child) : undefined;
    const to = label(parent);
    if (from !== undefined && to !== undefined && this.edges.length < LIMITS.records) this.edges.push([from, to]);
  }

  linked(): readonly Component[] {
    for (const [child, parent] of this.edges) {
      const component = this.byId.get(child);
      if (component === undefined) continue;
      component.dependsOn ??= [];
      if (component.dependsOn.length < LIMITS.nodes) component.dependsOn.push(parent);
    }
    return this.components;
  }

  private componentOf(artifact: Artifact): Component {
    const record = fields(artifact);
    const name = label(record.name) ?? 'unnamed package';
    const version = label(record.version);
    const purl = purlText(record.purl) ?? label(record.purl);
    const licenses = licensesOf(record.licenses);
    return defined({
      kind: 'component' as const,
      ref: this.refOf(label(record.id) ?? purl ?? (version === undefined ? name : `${name}@${version}`)),
      name,
      version,
      purl,
      type: label(record.type),
      licenses: licenses.length === 0 ? undefined : licenses,
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
const parseSyft = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, { name: NAME, shape: SHAPE, writesNullLists: true }, createReader);

function createReader(): StreamReader {
  const found = new Map<JsonNode | undefined, Packages>();
  const packagesIn = (document: JsonNode | undefined): Packages => {
    const packages = found.get(document) ?? new Packages();
    found.set(document, packages);
    return packages;
  };
  const reader = (check: RecordCheck<Artifact>) => (document: JsonNode | undefined) => {
    const packages = packagesIn(document);
    return { check, read: (artifact: Artifact) => packages.add(artifact) };
  };
  return {
    lists: {
      artifacts: reader(artifactCheck),
      artifactRelationships: (document) => {
        const packages = packagesIn(document);
        const read = (relationship: Relationship) => packages.relate(relationship);
        return { check: relationshipCheck, read, isSupplement: true };
      },
      report: reader(looseArtifactCheck),
    },
    *document(document) {
      const isOurs = document.values.size > 0 || document.lists.has('artifactRelationships');
      if (!document.lists.has('artifacts') || !isOurs) throw wrongTool(NAME, 'it has no “artifacts” with a “schema”');
      yield reportInfo(document);
      yield* rootOf(fields(document.values.get('source')));
      yield* packagesIn(document).linked();
      found.delete(document);
    },
    end: () => packagesIn(undefined).components,
  };
}

/** A folder that was scanned: its name since schema 9, its path before. */
function* rootOf(source: Record<string, unknown>): Generator<ReportRecord> {
  if (source.type === 'image') return;
  yield* partOf({ root: lastingName(source.name) ?? lastingName(source.target) });
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
  reads: {
    part: { root: '`source.name` or `source.target` of a folder, unless it is a checkout folder' },
    failure: [],
    identity: 'package URL, else name, version and type',
  },
  recognise: recogniseSyft,
  parse: parseSyft,
};
