import { purlText } from '../../lib/findings/packages.ts';
import { defined, fields, label, list, oneOrMore, text } from '../../lib/values/read.ts';
import type { PackageFacts } from './inventory.ts';
import { said } from './licenses.ts';

/** Readers for elements of SPDX 3, whose names carry their profile: `software_packageVersion`. */

type Element = Record<string, unknown>;

/** Class without its profile: `software_Package` and `software:Package` are `Package`. */
export function classOf(element: Element): string {
  const name = label(element.type) ?? label(element['@type']) ?? '';
  // at most 500 characters
  return /[^_:/#]*$/.exec(name)?.[0] ?? '';
}

export function idOf(element: Element): string | undefined {
  return label(element.spdxId) ?? label(element['@id']);
}

/** A property, with or without its profile in front. */
export function property(element: Element, profile: string, name: string): unknown {
  return element[`${profile}_${name}`] ?? element[name] ?? element[`${profile}:${name}`];
}

/** Ids of the elements a property points to. */
export function targets(value: unknown): string[] {
  return oneOrMore(value)
    .map((entry) => label(entry) ?? idOf(fields(entry)))
    .filter((id) => id !== undefined);
}

/** Undefined when the package has no name. */
export function graphPackage(element: Element): PackageFacts | undefined {
  const name = said(element.name);
  if (name === undefined) return undefined;
  return defined({
    id: idOf(element),
    name,
    version: said(property(element, 'software', 'packageVersion')),
    purl: purlOf(element),
    type: label(property(element, 'software', 'primaryPurpose'))
      ?.replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase(),
    description: text(element.description, 4_000) ?? text(element.summary, 4_000),
  });
}

function purlOf(element: Element): string | undefined {
  const own = label(property(element, 'software', 'packageUrl'));
  if (own !== undefined) return own;
  return externalIds(element, /^(?:packageUrl|purl)$/i)
    .map(purlText)
    .find((purl) => purl !== undefined);
}

/** External identifiers of the kinds wanted. */
export function externalIds(element: Element, kind: RegExp): string[] {
  return list(element.externalIdentifier)
    .map(fields)
    .filter((entry) => kind.test(label(entry.externalIdentifierType) ?? ''))
    .map((entry) => label(entry.identifier))
    .filter((id) => id !== undefined);
}

/** Expression or name of a licence element; undefined for other elements and for "nothing said". */
export function licenseOf(element: Element): string | undefined {
  const expression = said(property(element, 'simplelicensing', 'licenseExpression'));
  return expression ?? (/License$/.test(classOf(element)) ? (listed(idOf(element)) ?? said(element.name)) : undefined);
}

/** Licences of the SPDX list are referred to by their address. */
export function listed(id: string | undefined): string | undefined {
  return /^https?:\/\/spdx\.org\/licenses\/([\w.+-]+)$/i.exec(id ?? '')?.[1];
}
