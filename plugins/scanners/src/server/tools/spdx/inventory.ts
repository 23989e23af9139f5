import type { Component, FindingType, NormalizedFinding } from '@breakwater/sdk';
import { identifiers, identifiersIn, webAddresses } from '../../lib/findings/identifiers.ts';
import { ecosystemOf, purlText } from '../../lib/findings/packages.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, label, list, text } from '../../lib/values/read.ts';

/** What a package of any SPDX version says of itself. */
export interface PackageFacts extends Omit<Component, 'kind' | 'ref' | 'dependsOn' | 'direct'> {
  id?: string;
}

/** Kinds of packages that only hold others: an image, a lock file, the project itself. */
const HOLDERS: ReadonlySet<string> = new Set(['application', 'container', 'source', 'operating-system', 'file']);

/** Packages of one document, with the relationships between them laid over. */
export class SpdxInventory {
  readonly components: Component[] = [];
  private readonly byRef = new Map<string, Component>();
  private readonly needs = new Map<string, string[]>();
  private readonly contains = new Map<string, string[]>();
  private readonly roots = new Set<string>();

  add(facts: PackageFacts): Component {
    const { id, ...rest } = facts;
    const named = facts.version === undefined ? facts.name : `${facts.name}@${facts.version}`;
    const own = id ?? facts.purl ?? named;
    const ref = this.byRef.has(own) ? `${own}#${this.components.length}` : own;
    const component: Component = { kind: 'component', ref, ...rest };
    this.components.push(component);
    this.byRef.set(ref, component);
    return component;
  }

  find(id: string): Component | undefined {
    return this.byRef.get(id);
  }

  addNeed(from: string, to: string): void {
    addTo(this.needs, from, to);
  }

  addContained(from: string, to: string): void {
    addTo(this.contains, from, to);
  }

  addRoot(id: string): void {
    this.roots.add(id);
  }

  /** What the document is about; undefined when it names none or several. */
  get root(): Component | undefined {
    const known = [...this.roots].map((id) => this.byRef.get(id)).filter((component) => component !== undefined);
    return known.length === 1 ? known[0] : undefined;
  }

  /**
   * The packages of the document but what it is about, which holds or needs the others: that is the application. A document about a package
   * alone lists that package.
   */
  listed(): Component[] {
    const { root } = this;
    if (root === undefined) return this.components;
    const isHeld = (id: string): boolean => id !== root.ref && this.byRef.has(id);
    const held = [...(this.needs.get(root.ref) ?? []), ...(this.contains.get(root.ref) ?? [])];
    return held.some(isHeld) ? this.withoutRoot() : this.components;
  }

  /**
   * Sets the edges, and which packages the root needs directly. `containsNeeds`: the writer says "contains" where a
   * lock file or image needs a package.
   */
  link(containsNeeds: boolean): void {
    this.setEdges(containsNeeds);
    const holders = this.holders(containsNeeds);
    const direct = new Set<Component>();
    for (const holder of holders) for (const target of this.targetsOf(holder, containsNeeds)) direct.add(target);
    // A list in which the root needs everything does not say what is needed through something else.
    const isGraph = this.components.some(({ ref, dependsOn }) => dependsOn !== undefined && !holders.has(this.at(ref)));
    const onlyHeld = [...holders].flatMap((holder) => this.contains.get(holder?.ref ?? '') ?? []);
    const isTold = onlyHeld.map((id) => this.byRef.get(id)).some((held) => held !== undefined && !direct.has(held));
    if (direct.size === 0 || !(isGraph || isTold)) return;
    for (const component of this.components) if (!holders.has(component)) component.direct = direct.has(component);
  }

  /** Sets the edges. `isDirectStated`: the root needs what is needed directly, and nothing else. */
  linkAsStated(isDirectStated: boolean): void {
    this.setEdges(false);
    const { root } = this;
    if (root === undefined || !isDirectStated) return;
    const direct = new Set(this.targetsOf(root, false));
    for (const component of this.withoutRoot()) component.direct = direct.has(component);
  }

  withoutRoot(): Component[] {
    const { root } = this;
    return this.components.filter((component) => component !== root);
  }

  private setEdges(containsNeeds: boolean): void {
    for (const component of this.components) {
      const targets = this.targetsOf(component, containsNeeds);
      if (targets.length > 0) component.dependsOn = targets.map(({ ref }) => ref);
    }
  }

  /** The roots, and what stands between them and their packages. */
  private holders(containsNeeds: boolean): Set<Component | undefined> {
    const found = new Set<Component | undefined>([...this.roots].map((id) => this.byRef.get(id)));
    for (const holder of found) {
      if (holder === undefined) continue;
      for (const target of this.targetsOf(holder, containsNeeds)) {
        if (target.purl === undefined && HOLDERS.has(target.type ?? '')) found.add(target);
      }
    }
    found.delete(undefined);
    return found;
  }

  private at(ref: string): Component | undefined {
    return this.byRef.get(ref);
  }

  private targetsOf(component: Component | undefined, containsNeeds: boolean): Component[] {
    if (component === undefined) return [];
    const { ref } = component;
    const ids = [...(this.needs.get(ref) ?? []), ...(containsNeeds ? (this.contains.get(ref) ?? []) : [])];
    const targets = new Set(ids.map((id) => this.byRef.get(id)));
    targets.delete(component);
    return [...targets].filter((target) => target !== undefined);
  }
}

function addTo(edges: Map<string, string[]>, from: string, to: string): void {
  const targets = edges.get(from);
  if (targets === undefined) edges.set(from, [to]);
  else if (targets.length < LIMITS.nodes) targets.push(to);
}

/** A vulnerability that a package's references name, with the references that name it. */
export interface Advisory {
  id: string;
  links: string[];
  comments: string[];
}

/** What the findings of one document have in common. */
export interface SpdxContext {
  type: FindingType;
  /** Name of the image the document describes. */
  resource?: string;
}

/**
 * Vulnerabilities named by a package's references. SPDX 2.x has no other place for them; CPE and SWID references say
 * what the package is. Source: SPDX 2.3 annex F.2.
 */
export function advisoriesOf(references: unknown): Advisory[] {
  const found = new Map<string, Advisory>();
  for (const reference of list(references).map(fields)) {
    const type = label(reference.referenceType) ?? '';
    if (!/^security$/i.test(label(reference.referenceCategory) ?? '') || !/(?:^|\/)(?:advisory|fix|url)$/i.test(type))
      continue;
    const locator = label(reference.referenceLocator) ?? '';
    const comment = text(reference.comment, 2_000);
    for (const id of identifiersIn(`${locator} ${comment ?? ''}`).map(canonical)) {
      const advisory = found.get(id) ?? { id, links: [], comments: [] };
      found.set(id, advisory);
      advisory.links.push(locator);
      if (comment !== undefined) advisory.comments.push(comment);
    }
  }
  return [...found.values()];
}

/** Advisory ids are read from addresses, where their case is anybody's. */
function canonical(id: string): string {
  return /^GHSA/i.test(id) ? `GHSA${id.slice(4).toLowerCase()}` : id.toUpperCase();
}

export function advisoryFinding(advisory: Advisory, component: Component, context: SpdxContext): NormalizedFinding {
  return defined({
    kind: 'finding' as const,
    ruleId: advisory.id,
    title: oneLine(`${advisory.id} in ${component.name}`),
    type: context.type,
    // The format has no field for a rating.
    severity: 'informational' as const,
    description: paragraphs(...advisory.comments),
    ...identifiers(advisory.id),
    references: webAddresses(advisory.links),
    component: affected(component),
    resource: context.resource,
  });
}

export function affected(component: Component): NonNullable<NormalizedFinding['component']> {
  const { name, version, purl } = component;
  return defined({ name, version, purl: purlText(purl), ecosystem: ecosystemOf(purl) });
}
