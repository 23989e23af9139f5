import type { Component } from '@breakwater/sdk';
import { purlText } from '../../lib/purl.ts';
import { defined, fields, label, list } from '../../lib/read.ts';
import type { Artifact } from './schema.ts';

/** What each package needs, by the ids of the packages. */
export type Edges = ReadonlyMap<string, readonly string[]>;

/** Makes the packages of one report, each under a ref of its own. */
export class Packages {
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
