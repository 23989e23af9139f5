import type { FindingType, ReportInfo, ReportRecord } from '@breakwater/sdk';
import { imageName } from '../../lib/findings/packages.ts';
import { isoDate } from '../../lib/findings/text.ts';
import type { Tally } from '../../lib/json/records.ts';
import { defined, fields, label, list } from '../../lib/values/read.ts';
import { addEdges, type BomComponent, type BomDependency, type BomVulnerability, Inventory } from './inventory.ts';
import { vulnerabilityFindings } from './vulnerability.ts';

/** A document in its parts, whichever way it was written. Each part can be read once. */
interface Bom {
  metadata: unknown;
  components: Iterable<Part<BomComponent>>;
  dependencies: Iterable<Part<BomDependency>>;
  vulnerabilities: Iterable<Part<BomVulnerability>>;
}

export type Part<T> = { value: T; where: string } | { fault: string; where: string };

/** Components first, then vulnerabilities that point to them. */
export function* bomRecords(bom: Bom, tally: Tally, family: string | undefined): Generator<ReportRecord> {
  const metadata = fields(bom.metadata);
  const root = fields(metadata.component);
  yield reportInfo(metadata, root);
  const inventory = new Inventory();
  yield* each(bom.components, tally, (component, where) => inventory.add(component, where));
  for (const { where, why } of inventory.unreadable) yield* tally.fault(where, why);
  const edges = new Map<string, string[]>();
  yield* each(bom.dependencies, tally, ({ ref, dependsOn }) => addEdges(edges, ref, dependsOn));
  inventory.link(edges, label(root['bom-ref']));
  yield* inventory.components;
  // The root itself may be what is affected.
  const self = label(root.name);
  if (self !== undefined) rootOf(inventory, root, self);
  const image = targetImage(root);
  const context = defined({ inventory, type: typeOf(root, family), resource: image });
  for (const part of bom.vulnerabilities) {
    if ('fault' in part) yield* tally.fault(part.where, part.fault);
    else {
      tally.readable += 1;
      yield* vulnerabilityFindings(part.value, context);
    }
  }
}

function* each<T>(
  parts: Iterable<Part<T>>,
  tally: Tally,
  visit: (value: T, where: string) => void,
): Generator<ReportRecord> {
  for (const part of parts) {
    if ('fault' in part) yield* tally.fault(part.where, part.fault);
    else {
      tally.readable += 1;
      visit(part.value, part.where);
    }
  }
}

/** Makes the root known to `find` without listing it: it is what the inventory is about, not a part of it. */
function rootOf(inventory: Inventory, root: Record<string, unknown>, name: string): void {
  const before = inventory.components.length;
  inventory.add({ ...root, name, components: undefined }, 'metadata.component');
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
