import type { Component, FindingType, ReportInfo, ReportRecord } from '@breakwater/sdk';
import { isoDate } from '../../lib/dates.ts';
import { imageName } from '../../lib/paths.ts';
import { defined, fields, label, labels } from '../../lib/read.ts';
import { type Advisory, advisoriesOf, advisoryFinding, type SpdxContext } from './advisories.ts';
import { type PackageFacts, SpdxInventory } from './inventory.ts';
import { packageFacts } from './package.ts';
import type { SpdxPackage, SpdxRelationship } from './schema.ts';

/** A document of SPDX 2.x while its parts arrive, whichever way it was written. */
export class SpdxDocument {
  private readonly inventory = new SpdxInventory();
  private readonly named: { component: Component; advisories: Advisory[] }[] = [];

  /** False for a package without a name. */
  addPackage(record: SpdxPackage): boolean {
    const facts: PackageFacts | undefined = packageFacts(record);
    if (facts === undefined) return false;
    const component = this.inventory.add(facts);
    const advisories = advisoriesOf(fields(record).externalRefs);
    if (advisories.length > 0) this.named.push({ component, advisories });
    return true;
  }

  addRelationship({ spdxElementId, relationshipType, relatedSpdxElement }: SpdxRelationship): void {
    const type = relationshipType.trim().toUpperCase().replaceAll('-', '_');
    const from = label(spdxElementId);
    const to = label(relatedSpdxElement);
    if (from === undefined || to === undefined) return;
    if (NEEDS.has(type)) this.inventory.addNeed(from, to);
    else if (NEEDED_BY.test(type)) this.inventory.addNeed(to, from);
    else if (type === 'CONTAINS') this.inventory.addContained(from, to);
    else if (type === 'CONTAINED_BY') this.inventory.addContained(to, from);
    else if (type === 'DESCRIBES') this.inventory.addRoot(to);
    else if (type === 'DESCRIBED_BY') this.inventory.addRoot(from);
  }

  addRoots(ids: unknown): void {
    for (const id of labels(ids)) this.inventory.addRoot(id);
  }

  /** Info, components, findings. `creation`: `creators` and `created`. */
  *records(creation: Record<string, unknown>, family: string | undefined): Generator<ReportRecord> {
    const creators = labels(creation.creators);
    this.inventory.link(creators.some((creator) => /^Tool:\s*trivy/i.test(creator)));
    const context = contextOf(this.inventory.root, family);
    yield reportInfo(creators, creation.created, context.resource);
    yield* this.inventory.components;
    for (const { component, advisories } of this.named) {
      for (const advisory of advisories) yield advisoryFinding(advisory, component, context);
    }
  }
}

/** `A type B`: A needs B. */
const NEEDS: ReadonlySet<string> = new Set(['DEPENDS_ON', 'DYNAMIC_LINK', 'STATIC_LINK', 'HAS_PREREQUISITE']);
/** `A type B`: B needs A, at run time, to be built, for tests … */
const NEEDED_BY = /(?:^|_)DEPENDENCY_OF$|^PREREQUISITE_FOR$/;

export function contextOf(root: Component | undefined, family: string | undefined): SpdxContext {
  const isImage = root?.type === 'container' || (root?.purl?.startsWith('pkg:oci/') ?? false);
  const type: FindingType = family === 'Container' || family === 'SCA' ? family : isImage ? 'Container' : 'SCA';
  return defined({ type, resource: isImage ? imageName(root?.name) : undefined });
}

export function reportInfo(creators: readonly string[], created: unknown, target: string | undefined): ReportInfo {
  // "Tool: syft-1.50.0"; the name may have hyphens of its own.
  const tool = creators.map((creator) => /^Tool:\s*(.+?)(?:-v?(\d[\w.+-]*))?$/i.exec(creator)).find(Boolean);
  return defined({
    kind: 'report' as const,
    toolName: label(tool?.[1]),
    toolVersion: label(tool?.[2]),
    target,
    date: isoDate(created),
  });
}
