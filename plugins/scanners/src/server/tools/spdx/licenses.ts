import { type Static, Type } from 'typebox';
import { LICENSE_CHARS } from '../../lib/findings/own-facts.ts';
import { LIMITS } from '../../lib/limits.ts';
import { label, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NOTHING = /^(?:NOASSERTION|NONE)$/i;

/** SPDX writes these words where it says nothing. */
export function said(value: unknown): string | undefined {
  const found = label(value);
  return found === undefined || NOTHING.test(found) ? undefined : found;
}

/** The same of a licence, which may be a long expression. */
export function saidLicense(value: unknown): string | undefined {
  const found = text(value, LICENSE_CHARS)?.replace(/\s+/g, ' ');
  return found === undefined || NOTHING.test(found) ? undefined : found;
}

/** One element of `hasExtractedLicensingInfos`. Source: SPDX 2.3 §10. */
export const ExtractedLicense = Type.Object({
  licenseId: Type.Optional(Type.Unknown()),
  name: Type.Optional(Type.Unknown()),
});
export type ExtractedLicense = Static<typeof ExtractedLicense>;
export const licenseCheck = recordCheck(ExtractedLicense);

const REF = /^LicenseRef-[\w.+-]+$/;
/** What can stand in an expression. Source: SPDX 2.3 annex D. */
const ID = /^(?!(?:and|or|with)$)[A-Za-z0-9][\w.-]*\+?$/i;

/** Licences that a document names itself, for those that the SPDX list does not have. */
export class ExtractedLicenses {
  private readonly names = new Map<string, string>();

  add({ licenseId, name }: ExtractedLicense): void {
    const id = label(licenseId);
    const found = said(name) === undefined ? undefined : text(name, LICENSE_CHARS);
    if (id !== undefined && found !== undefined && REF.test(id) && this.names.size < LIMITS.nodes)
      this.names.set(id, found);
  }

  /**
   * Licences of an expression, with names in place of `LicenseRef-`. A name of several words has no place in an expression: where all parts hold
   * (AND) each becomes a licence of its own, where one may choose (OR) the reference stays.
   */
  read(expression: string): string[] {
    const whole = this.names.get(expression);
    if (whole !== undefined) return [whole];
    if (this.names.size === 0 || !expression.includes('LicenseRef-')) return [expression];
    const parts = partsOf(expression);
    const isApart = parts.some((part) => !ID.test(this.names.get(part) ?? 'x'));
    if (!isApart) return [this.inExpression(expression)];
    return [...new Set(parts.map((part) => this.names.get(part) ?? this.inExpression(part)))];
  }

  private inExpression(expression: string): string {
    return expression.replace(/LicenseRef-[\w.+-]+/g, (ref, at: number) => {
      const name = this.names.get(ref);
      // a reference into another document
      const isForeign = expression[at - 1] === ':';
      return name === undefined || isForeign || !ID.test(name) ? ref : name;
    });
  }
}

/** What AND joins outside of parentheses; the whole where OR stands there, which binds less tightly. */
function partsOf(expression: string): string[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of expression.match(/[()]|[^\s()]+/g) ?? []) {
    if (token === ')') depth -= 1;
    if (depth === 0 && /^or$/i.test(token)) return [expression];
    if (depth === 0 && /^and$/i.test(token)) parts.push([]);
    else parts.at(-1)?.push(token);
    if (token === '(') depth += 1;
  }
  return parts
    .map((tokens) => tokens.join(' ').replace(/\( /g, '(').replace(/ \)/g, ')'))
    .filter((part) => part !== '');
}
