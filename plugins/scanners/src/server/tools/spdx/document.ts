import type { Component, FindingType, ReportInfo, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { lastingName, partOf } from '../../lib/findings/coverage.ts';
import { applyFacts, OWN_COMPONENT, OWN_INVENTORY, type OwnFacts, ownFacts } from '../../lib/findings/own-facts.ts';
import { imageName, purlText } from '../../lib/findings/packages.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { defined, fields, label, labels, list, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import {
  type Advisory,
  advisoriesOf,
  advisoryFinding,
  type PackageFacts,
  type SpdxContext,
  SpdxInventory,
} from './inventory.ts';
import { type ExtractedLicense, ExtractedLicenses, said, saidLicense } from './licenses.ts';

/** One element of `packages`. Source: SPDX 2.1 to 2.3; the tag-value form is brought into the same form (tag-value.ts). */
export const SpdxPackage = Type.Object({
  SPDXID: Type.Optional(Type.Unknown()),
  name: Type.Optional(Type.Unknown()),
  externalRefs: Type.Optional(Type.Unknown()),
});
export type SpdxPackage = Static<typeof SpdxPackage>;
export const packageCheck = recordCheck(SpdxPackage);

/** One element of `relationships`. Source: SPDX 2.3 §11. */
export const SpdxRelationship = Type.Object({
  spdxElementId: Type.String(),
  relationshipType: Type.String(),
  relatedSpdxElement: Type.String(),
});
export type SpdxRelationship = Static<typeof SpdxRelationship>;
export const relationshipCheck = recordCheck(SpdxRelationship);

/** One element of `@graph`. Source: SPDX 3.0.1 JSON-LD. */
const GraphElement = Type.Object({});
export const elementCheck = recordCheck(GraphElement);

/** A document of SPDX 2.x while its parts arrive, whichever way it was written. */
export class SpdxDocument {
  private readonly inventory = new SpdxInventory();
  private readonly own: { component: Component; facts: OwnFacts }[] = [];
  private readonly licenses = new ExtractedLicenses();
  /** What our own document says of the inventory, on its root. */
  private ofInventory: OwnFacts | undefined;
  private readonly named: { component: Component; advisories: Advisory[] }[] = [];

  /** False for a package without a name. */
  addPackage(record: SpdxPackage): boolean {
    const read: PackageFacts | undefined = packageFacts(record);
    if (read === undefined) return false;
    const component = this.inventory.add(read);
    const facts = ownFacts(annotation(record, OWN_COMPONENT));
    if (facts !== undefined) this.own.push({ component, facts });
    this.ofInventory ??= ownFacts(annotation(record, OWN_INVENTORY));
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

  addLicense(license: ExtractedLicense): void {
    this.licenses.add(license);
  }

  addRoots(ids: unknown): void {
    for (const id of labels(ids)) this.inventory.addRoot(id);
  }

  /** When everything is known. Facts of our own speak of the expression as it is written. */
  private readLicenses(): void {
    const isKnown = new Set<Component>();
    for (const { component, facts } of this.own) {
      const { licenses } = component;
      applyFacts(component, facts);
      if (component.licenses !== licenses) isKnown.add(component);
    }
    for (const component of this.inventory.components) {
      if (component.licenses === undefined || isKnown.has(component)) continue;
      component.licenses = component.licenses.flatMap((expression) => this.licenses.read(expression));
    }
  }

  /** Info, components, findings. `creation`: `creators` and `created`. */
  *records(creation: Record<string, unknown>, family: string | undefined): Generator<ReportRecord> {
    const creators = labels(creation.creators);
    const { inventory, ofInventory } = this;
    if (ofInventory !== undefined) inventory.linkAsStated(ofInventory.direct === true);
    else inventory.link(creators.some((creator) => /^Tool:\s*trivy/i.test(creator)));
    this.readLicenses();
    const context = contextOf(this.inventory.root, family);
    yield reportInfo(creators, creation.created, context.resource);
    if (context.resource === undefined) yield* partOf({ root: lastingName(this.inventory.root?.name) });
    yield* ofInventory === undefined ? inventory.listed() : inventory.withoutRoot();
    for (const { component, advisories } of this.named) {
      for (const advisory of advisories) yield advisoryFinding(advisory, component, context);
    }
  }
}

/** Text of our own annotation with that name. Source: SPDX 2.3 §12. */
function annotation(record: SpdxPackage, name: string): string | undefined {
  for (const { comment } of list(fields(record).annotations).map(fields)) {
    if (typeof comment === 'string' && comment.startsWith(`${name} `)) return comment.slice(name.length + 1);
  }
  return undefined;
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

// at most 500 characters
const TOOL = /^Tool:\s*(.+?)(?:-v?(\d[\w.+-]*))?$/i;

export function reportInfo(creators: readonly string[], created: unknown, target: string | undefined): ReportInfo {
  // "Tool: syft-1.50.0"; the name may have hyphens of its own.
  const tool = creators.map((creator) => TOOL.exec(creator.slice(0, 500))).find(Boolean);
  return defined({
    kind: 'report' as const,
    toolName: label(tool?.[1]),
    toolVersion: label(tool?.[2]),
    target,
    date: isoDate(created),
  });
}

/** A package may be called "none". */
function saidName(value: unknown): string | undefined {
  const found = label(value);
  return found === 'NOASSERTION' ? undefined : found;
}

/** Undefined when the package has no name: then it is nothing that could be listed. */
function packageFacts(record: SpdxPackage): PackageFacts | undefined {
  const source = fields(record);
  const name = saidName(source.name) ?? saidName(source.packageName);
  if (name === undefined) return undefined;
  // What the author of the document concluded wins over what the package declares.
  const license =
    saidLicense(source.licenseConcluded ?? source.packageLicenseConcluded) ??
    saidLicense(source.licenseDeclared ?? source.packageLicenseDeclared);
  return defined({
    id: label(source.SPDXID),
    name,
    version: said(source.versionInfo),
    purl: purlOf(source.externalRefs),
    type: said(source.primaryPackagePurpose)?.toLowerCase().replaceAll('_', '-'),
    licenses: license === undefined ? undefined : [license],
    description: text(source.description, 4_000) ?? text(source.summary, 4_000),
  });
}

function purlOf(references: unknown): string | undefined {
  const found = list(references).map(fields).filter(isPurl);
  return found.map((entry) => purlText(entry.referenceLocator) ?? label(entry.referenceLocator)).find(Boolean);
}

function isPurl(reference: Record<string, unknown>): boolean {
  return /(?:^|\/)(?:purl|package-?url)$/i.test(label(reference.referenceType) ?? '');
}
