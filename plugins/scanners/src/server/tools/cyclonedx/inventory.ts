import type { Component } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { applyFacts, OWN_COMPONENT, type OwnFacts, ownFacts } from '../../lib/findings/own-facts.ts';
import { purlText } from '../../lib/findings/packages.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, isRecord, label, list, oneOrMore, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

/** Source: CycloneDX 1.2 to 1.6 (JSON); the XML of 1.0 to 1.6 is brought into the same form (xml.ts). */
export const BomComponent = Type.Object({
  name: Type.String({ minLength: 1 }),
  'bom-ref': Type.Optional(Type.Unknown()),
  components: Type.Optional(Type.Unknown()),
  vulnerabilities: Type.Optional(Type.Unknown()),
});

export type BomComponent = Static<typeof BomComponent>;

export const componentCheck = recordCheck(BomComponent);

export const BomDependency = Type.Object({ ref: Type.String(), dependsOn: Type.Optional(Type.Unknown()) });

export type BomDependency = Static<typeof BomDependency>;

export const dependencyCheck = recordCheck(BomDependency);

/** A vulnerability needs no id (a pentest's finding has none) and may affect nothing that the document lists. */
export const BomVulnerability = Type.Object({
  id: Type.Optional(Type.Unknown()),
  affects: Type.Optional(Type.Unknown()),
});

export type BomVulnerability = Static<typeof BomVulnerability>;

export const vulnerabilityCheck = recordCheck(BomVulnerability);

/** A vulnerability that stands inside the component it is in: the extension of versions 1.0 to 1.3. */
export interface NestedVulnerability {
  vulnerability: BomVulnerability;
  component: Component;
}

/** Components of a document by their refs, with the dependency graph laid over them. */
export class Inventory {
  readonly components: Component[] = [];
  readonly nested: NestedVulnerability[] = [];
  /** Places of components without a name, and of vulnerabilities that are none. */
  readonly unreadable: { where: string; why: string }[] = [];
  private readonly own: { component: Component; facts: OwnFacts }[] = [];
  private readonly byRef = new Map<string, Component>();
  /** The refs as the document uses them: a fragment of a BOM-Link or a purl may stand for a ref. */
  private readonly byPurl = new Map<string, Component>();

  add(component: BomComponent, where: string): void {
    const made = this.addOne(component);
    this.addVulnerabilities(component, made, where);
    this.addNested(component.components, where);
  }

  find(ref: string): Component | undefined {
    // urn:cdx:<serial>/<version>#<ref> points into this or another document.
    const local = ref.startsWith('urn:cdx:') && ref.includes('#') ? ref.slice(ref.indexOf('#') + 1) : ref;
    return this.byRef.get(ref) ?? this.byRef.get(local) ?? this.byPurl.get(local);
  }

  /** Sets the edges, and which components the root needs directly: those alone that it names where the document says so. */
  link(edges: ReadonlyMap<string, readonly string[]>, root: string | undefined, isDirectStated?: boolean): void {
    for (const component of this.components) {
      const targets = edges.get(component.ref);
      if (targets !== undefined && targets.length > 0) component.dependsOn = [...targets];
    }
    const named = new Set(edges.get(root ?? ''));
    const direct =
      isDirectStated === true ? named : isDirectStated === false ? undefined : this.lookThrough(edges, named);
    if (direct !== undefined) for (const component of this.components) component.direct = direct.has(component.ref);
    for (const { component, facts } of this.own) applyFacts(component, facts);
  }

  /** What the root needs; a manifest or lock file that stands between (Trivy) is looked through. */
  private lookThrough(edges: ReadonlyMap<string, readonly string[]>, first: Set<string>): Set<string> | undefined {
    if (first.size === 0) return undefined;
    const direct = new Set<string>();
    for (const ref of first) {
      direct.add(ref);
      const between = this.byRef.get(ref);
      if (between !== undefined && between.purl === undefined && between.type !== 'library') {
        for (const target of edges.get(ref) ?? []) direct.add(target);
      }
    }
    return direct;
  }

  private addNested(value: unknown, where: string): void {
    for (const [index, nested] of list(value).entries()) {
      const place = `${where}.components[${index}]`;
      if (componentCheck.accepts(nested)) this.add(nested, place);
      else this.unreadable.push({ where: place, why: componentCheck.issue() });
    }
  }

  private addVulnerabilities(written: BomComponent, component: Component, where: string): void {
    for (const [index, vulnerability] of list(fields(written).vulnerabilities).entries()) {
      if (vulnerabilityCheck.accepts(vulnerability)) this.nested.push({ vulnerability, component });
      else this.unreadable.push({ where: `${where}.vulnerabilities[${index}]`, why: vulnerabilityCheck.issue() });
    }
  }

  private addOne(component: BomComponent): Component {
    const record = fields(component);
    const name = label(component.name) ?? 'unnamed';
    const purl = purlText(record.purl);
    const version = label(record.version);
    const own = label(component['bom-ref']) ?? purl ?? (version === undefined ? name : `${name}@${version}`);
    const ref = this.byRef.has(own) ? `${own}#${this.components.length}` : own;
    const licenses = licensesOf(record.licenses ?? record.license);
    const made: Component = defined({
      kind: 'component' as const,
      ref,
      name,
      version,
      group: label(record.group),
      purl: purl ?? label(record.purl),
      type: label(record.type),
      licenses: licenses.length === 0 ? undefined : licenses,
      description: text(record.description, 4_000),
      scope: scopeOf(record.scope),
    });
    this.components.push(made);
    this.byRef.set(ref, made);
    const facts = ownFacts(propertyOf(record, OWN_COMPONENT));
    if (facts !== undefined) this.own.push({ component: made, facts });
    if (purl !== undefined && !this.byPurl.has(purl)) this.byPurl.set(purl, made);
    return made;
  }
}

/** Value of the property with that name. */
export function propertyOf(record: Record<string, unknown>, name: string): unknown {
  return list(record.properties)
    .map(fields)
    .find((property) => property.name === name)?.value;
}

function scopeOf(value: unknown): Component['scope'] | undefined {
  return value === 'required' || value === 'optional' || value === 'excluded' ? value : undefined;
}

/** Ids, names and expressions as written. */
function licensesOf(value: unknown): string[] {
  const found = new Set<string>();
  for (const entry of oneOrMore(value).slice(0, 100)) {
    if (!isRecord(entry)) continue;
    const license = fields(entry.license);
    const name = label(entry.expression) ?? label(license.id) ?? label(license.name);
    if (name !== undefined) found.add(name);
  }
  return [...found];
}

/** Edges of the document, at most as many as components can be. */
export function addEdges(edges: Map<string, string[]>, ref: string, dependsOn: unknown): void {
  const from = label(ref);
  if (from === undefined || !Array.isArray(dependsOn)) return;
  const targets = edges.get(from) ?? [];
  for (const entry of dependsOn) {
    const target = label(entry);
    if (target !== undefined && targets.length < LIMITS.nodes) targets.push(target);
  }
  edges.set(from, targets);
}
