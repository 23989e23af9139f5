import type { FindingType, ReportInfo, ReportRecord } from '@breakwater/sdk';
import { lastingName, partOf } from '../../lib/findings/coverage.ts';
import { OWN_INVENTORY, ownFacts } from '../../lib/findings/own-facts.ts';
import { imageName } from '../../lib/findings/packages.ts';
import { isoDate } from '../../lib/findings/text.ts';
import type { Tally } from '../../lib/json/records.ts';
import { defined, fields, label, list } from '../../lib/values/read.ts';
import {
  addEdges,
  type BomComponent,
  type BomDependency,
  type BomVulnerability,
  Inventory,
  propertyOf,
} from './inventory.ts';
import { type BomContext, vulnerabilityFindings } from './vulnerability.ts';

/** A document whose parts come one by one: components and dependencies, then its frame, then the vulnerabilities. */
export class Bom {
  private readonly inventory = new Inventory();
  private readonly edges = new Map<string, string[]>();
  private readonly family: string | undefined;
  private context: BomContext = { inventory: this.inventory, type: 'SCA' };

  constructor(family: string | undefined) {
    this.family = family;
  }

  addComponent(component: BomComponent, where: string): undefined {
    this.inventory.add(component, where);
  }

  addDependency({ ref, dependsOn }: BomDependency): undefined {
    addEdges(this.edges, ref, dependsOn);
  }

  /** The components, when all of them and what they need are known. */
  *frame(written: unknown, tally: Tally): Generator<ReportRecord> {
    const { inventory } = this;
    const metadata = fields(written);
    const root = fields(metadata.component);
    yield reportInfo(metadata, root);
    if (root.type !== 'container') {
      const name = [label(root.group), lastingName(root.name)];
      yield* partOf({ root: name[1] === undefined ? undefined : name.filter((part) => part !== undefined).join('/') });
    }
    for (const { where, why } of inventory.unreadable) yield* tally.addUnreadable(where, why);
    const own = ownFacts(propertyOf(root, OWN_INVENTORY));
    inventory.link(this.edges, label(root['bom-ref']), own === undefined ? undefined : own.direct === true);
    yield* inventory.components;
    // The root itself may be what is affected.
    const self = label(root.name);
    if (self !== undefined) rootOf(inventory, root, self);
    this.context = defined({ inventory, type: typeOf(root, this.family), resource: targetImage(root) });
    for (const { vulnerability, component } of inventory.nested) {
      tally.readable += 1;
      yield* vulnerabilityFindings(vulnerability, this.context, component);
    }
  }

  vulnerability(value: BomVulnerability): Iterable<ReportRecord> {
    return vulnerabilityFindings(value, this.context);
  }
}

/** Makes the root known to `find` without listing it: it is what the inventory is about, not a part of it. */
function rootOf(inventory: Inventory, root: Record<string, unknown>, name: string): void {
  const before = inventory.components.length;
  inventory.add({ ...root, name, components: undefined, vulnerabilities: undefined }, 'metadata.component');
  inventory.components.length = before;
}

function typeOf(root: Record<string, unknown>, family: string | undefined): FindingType {
  if (family === 'Container' || family === 'SCA') return family;
  return root.type === 'container' ? 'Container' : 'SCA';
}

function targetImage(root: Record<string, unknown>): string | undefined {
  return root.type === 'container' ? imageName(label(root.name)) : undefined;
}

function reportInfo(metadata: Record<string, unknown>, root: Record<string, unknown>): ReportInfo {
  const tools = metadata.tools;
  const tool = fields(
    Array.isArray(tools) ? tools[0] : (list(fields(tools).components)[0] ?? list(fields(tools).services)[0]),
  );
  return defined({
    kind: 'report' as const,
    toolName: label(tool.name),
    toolVersion: label(tool.version),
    target: targetImage(root),
    date: isoDate(metadata.timestamp),
  });
}
