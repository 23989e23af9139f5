import type { Component } from '@breakwater/sdk';
import { LIMITS } from '../../lib/limits.ts';

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
   * Sets the edges, and which packages the root needs directly. `containsNeeds`: the writer says "contains" where a
   * lock file or image needs a package.
   */
  link(containsNeeds: boolean): void {
    for (const component of this.components) {
      const targets = this.targetsOf(component, containsNeeds);
      if (targets.length > 0) component.dependsOn = targets.map(({ ref }) => ref);
    }
    const holders = this.holders(containsNeeds);
    const direct = new Set<Component>();
    for (const holder of holders) for (const target of this.targetsOf(holder, containsNeeds)) direct.add(target);
    // A list in which the root needs everything does not say what is needed through something else.
    const isGraph = this.components.some(({ ref, dependsOn }) => dependsOn !== undefined && !holders.has(this.at(ref)));
    if (direct.size === 0 || !isGraph) return;
    for (const component of this.components) if (!holders.has(component)) component.direct = direct.has(component);
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
