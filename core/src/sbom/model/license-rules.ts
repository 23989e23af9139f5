import type { LicenseClass } from './license-classes.ts';
import { CATEGORY_CLASS, CORRECTED_CLASS, LINKING_EXCEPTIONS, NAME_CLASS } from './license-tables.ts';
import { type LicenseExpression, parseLicenseExpression } from './spdx-expression.ts';

/** One entry of core/data/spdx-licenses.json. */
export interface KnownLicense {
  id: string;
  name: string;
  category: string;
}

/** Judges licence texts by the SPDX list. No legal advice. */
export interface LicenseRules {
  /** Class of one text: an SPDX id or expression, else a name that is commonly used. */
  classOf(text: string): LicenseClass;
  /** Class of everything a component names. Several entries all hold, as in AND: an inventory that means a choice writes OR. */
  classOfAll(licenses: readonly string[]): LicenseClass;
  /** The id as SPDX writes it; undefined when the list has no such id. */
  spdxId(id: string): string | undefined;
}

/** AND: every part binds. An unknown part may ask for anything, so it outweighs permissive, but hides no known duty. */
const STRICTNESS: Readonly<Record<LicenseClass, number>> = {
  permissive: 0,
  unknown: 1,
  weak_copyleft: 2,
  strong_copyleft: 3,
  network_copyleft: 4,
  proprietary: 5,
};
/** OR: one's own choice, so the mildest that is known. */
const BURDEN: Readonly<Record<LicenseClass, number>> = { ...STRICTNESS, unknown: 6 };

const strictest = (classes: readonly LicenseClass[]): LicenseClass =>
  classes.reduce((worst, one) => (STRICTNESS[one] > STRICTNESS[worst] ? one : worst), 'permissive');
const mildest = (classes: readonly LicenseClass[]): LicenseClass =>
  classes.reduce((best, one) => (BURDEN[one] < BURDEN[best] ? one : best), 'unknown');

/** "The Apache Software License, Version 2.0" → "apache software 2.0". */
const plainName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[,"'()]/g, ' ')
    .replace(/\bversion\s+(?=\d)/g, '')
    .replace(/\b(?:the|licen[sc]es?|licen[sc]ed under)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const MAX_NAME = 500;

const withException = (licenseClass: LicenseClass, exception: string | undefined): LicenseClass =>
  licenseClass === 'strong_copyleft' && exception !== undefined && LINKING_EXCEPTIONS.has(exception.toLowerCase())
    ? 'weak_copyleft'
    : licenseClass;

/** Rules from the list of SPDX licences. Ids and names are compared in any case. */
export const createLicenseRules = (known: readonly KnownLicense[]): LicenseRules => {
  const byId = new Map(known.map((license) => [license.id.toLowerCase(), license]));
  const classOfKnown = ({ id, category }: KnownLicense): LicenseClass =>
    CORRECTED_CLASS.get(id.toLowerCase()) ?? CATEGORY_CLASS[category] ?? 'unknown';
  const byName = new Map(known.map((license) => [plainName(license.name), classOfKnown(license)]));
  const classOfName = (text: string): LicenseClass => {
    const name = plainName(text.slice(0, MAX_NAME));
    return NAME_CLASS.get(name) ?? byName.get(name) ?? 'unknown';
  };
  const classOfId = (id: string): LicenseClass | undefined => {
    const license = byId.get(id.toLowerCase());
    return license === undefined ? undefined : classOfKnown(license);
  };
  const classOfExpression = (expression: LicenseExpression): LicenseClass => {
    if (expression.kind !== 'license') {
      const classes = expression.parts.map(classOfExpression);
      return expression.kind === 'or' ? mildest(classes) : strictest(classes);
    }
    const { id, isOrLater, exception } = expression;
    const plus = isOrLater ? '+' : '';
    const licenseClass = classOfId(`${id}${plus}`) ?? classOfId(id) ?? classOfName(`${id}${plus}`);
    return withException(licenseClass, exception);
  };
  const classOf = (text: string): LicenseClass => {
    const expression = parseLicenseExpression(text);
    if (expression !== undefined) return classOfExpression(expression);
    const named = classOfName(text);
    if (named !== 'unknown' || !text.includes('/')) return named;
    // Cargo once wrote "MIT/Apache-2.0" where it meant a choice.
    const choice = /^[\w.+-]+(?:\/[\w.+-]+)+$/.test(text) ? text.split('/') : [];
    return mildest(choice.map((id) => classOfId(id) ?? classOfName(id)));
  };
  return {
    classOf,
    classOfAll: (licenses) => (licenses.length === 0 ? 'unknown' : strictest(licenses.map(classOf))),
    spdxId: (id) => byId.get(id.toLowerCase())?.id,
  };
};
