import type { Component, FindingType, NormalizedFinding } from '@breakwater/sdk';
import { identifiers, identifiersIn } from '../../lib/identifiers.ts';
import { ecosystemOf, purlText } from '../../lib/purl.ts';
import { defined, fields, label, list, text } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';

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
