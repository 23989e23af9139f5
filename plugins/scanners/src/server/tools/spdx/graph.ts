import type { ReportRecord } from '@breakwater/sdk';
import { lastingName, partOf } from '../../lib/findings/coverage.ts';
import { fields, label, list } from '../../lib/values/read.ts';
import { contextOf, reportInfo } from './document.ts';
import { classOf, graphPackage, idOf, licenseOf, listed, targets } from './graph-element.ts';
import { GraphVulnerabilities } from './graph-vulnerability.ts';
import { SpdxInventory } from './inventory.ts';

const NEEDS: ReadonlySet<string> = new Set([
  'dependsOn',
  'hasStaticLink',
  'hasDynamicLink',
  'hasPrerequisite',
  'hasOptionalDependency',
  'hasProvidedDependency',
]);

/** The elements of one `@graph` while they arrive; they may refer to each other in any order. Source: SPDX 3.0.1. */
export class SpdxGraph {
  private readonly inventory = new SpdxInventory();
  private readonly vulnerabilities = new GraphVulnerabilities();
  /** Licence ids of packages, and what they stand for. */
  private readonly licensed = new Map<string, { declared: string[]; concluded: string[] }>();
  private readonly licenses = new Map<string, string>();
  private readonly tools: string[] = [];
  private created: unknown;

  /** False for a package without a name. */
  add(element: Record<string, unknown>): boolean {
    const kind = classOf(element);
    if (kind === 'Package' || kind === 'AIPackage' || kind === 'DatasetPackage') {
      const facts = graphPackage(element);
      if (facts === undefined) return false;
      this.inventory.add(facts);
    } else if (kind === 'Vulnerability') this.vulnerabilities.add(element);
    else if (element.relationshipType !== undefined) this.relate(element, kind);
    else if (kind === 'SpdxDocument' || kind === 'Sbom') {
      for (const id of targets(element.rootElement)) this.inventory.addRoot(id);
    } else if (kind === 'CreationInfo') this.created ??= element.created;
    else if (kind === 'Tool') this.tools.push(`Tool: ${label(element.name) ?? ''}`);
    else this.addLicense(element);
    return true;
  }

  *records(family: string | undefined): Generator<ReportRecord> {
    this.inventory.link(false);
    for (const component of this.inventory.components) {
      const ids = this.licensed.get(component.ref);
      const chosen = ids === undefined ? [] : ids.concluded.length > 0 ? ids.concluded : ids.declared;
      const names = chosen.map((id) => listed(id) ?? this.licenses.get(id)).filter((name) => name !== undefined);
      if (names.length > 0) component.licenses = [...new Set(names)];
    }
    const context = contextOf(this.inventory.root, family);
    yield reportInfo(this.tools, this.created, context.resource);
    if (context.resource === undefined) yield* partOf({ root: lastingName(this.inventory.root?.name) });
    yield* this.inventory.listed();
    yield* this.vulnerabilities.findings(this.inventory, context);
  }

  private relate(element: Record<string, unknown>, kind: string): void {
    const type = label(element.relationshipType) ?? '';
    const from = targets(element.from)[0];
    if (from === undefined) return;
    const to = targets(list(element.to).length > 0 ? list(element.to) : element.to);
    if (this.vulnerabilities.relate({ element, kind, type, from, to })) return;
    if (type === 'hasDeclaredLicense') this.licensesOf(from).declared.push(...to);
    else if (type === 'hasConcludedLicense') this.licensesOf(from).concluded.push(...to);
    else if (type === 'describes') for (const id of to) this.inventory.addRoot(id);
    else if (type === 'contains') for (const id of to) this.inventory.addContained(from, id);
    else if (NEEDS.has(type)) for (const id of to) this.inventory.addNeed(from, id);
  }

  private licensesOf(id: string): { declared: string[]; concluded: string[] } {
    const known = this.licensed.get(id) ?? { declared: [], concluded: [] };
    this.licensed.set(id, known);
    return known;
  }

  private addLicense(element: Record<string, unknown>): void {
    const id = idOf(fields(element));
    const name = licenseOf(element);
    if (id !== undefined && name !== undefined) this.licenses.set(id, name);
  }
}
