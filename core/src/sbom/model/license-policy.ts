import { LICENSE_CLASSES, type LicenseClass } from './license-classes.ts';
import type { LicenseRules } from './license-rules.ts';
import { formatLicenseExpression, type LicenseExpression, parseLicenseExpression } from './spdx-expression.ts';

/** What a policy says of a licence, mildest first. */
export const LICENSE_VERDICTS = ['allowed', 'review', 'forbidden'] as const;
export type LicenseVerdict = (typeof LICENSE_VERDICTS)[number];

/** A licence by its SPDX id, or by the name that reports use; it comes before the rule of its class. */
export interface LicenseException {
  license: string;
  verdict: LicenseVerdict;
}

export interface LicensePolicy {
  classes: Record<LicenseClass, LicenseVerdict>;
  licenses: readonly LicenseException[];
}

/** Which licences ask for a look unless an organisation decides otherwise; see docs/decisions/2026-11-21-licence-findings.md. */
export const DEFAULT_POLICY: LicensePolicy = {
  classes: {
    permissive: 'allowed',
    weak_copyleft: 'allowed',
    strong_copyleft: 'review',
    network_copyleft: 'review',
    proprietary: 'review',
    unknown: 'allowed',
  },
  licenses: [],
};

/** What is wrong with the licences of a component, and the licence that decides it. */
export interface LicenseClassification {
  verdict: LicenseVerdict;
  /** As written, one licence of an expression; undefined where none is stated. */
  license: string | undefined;
  licenseClass: LicenseClass;
}

const RANK: Readonly<Record<LicenseVerdict, number>> = { allowed: 0, review: 1, forbidden: 2 };

/** "GPL-3.0" and "GPL-3.0-only" are the same licence, as are "GPL-3.0+" and "GPL-3.0-or-later". */
const sameName = (license: string): string => {
  const name = license.trim().toLowerCase();
  const gnu = /^((?:a|l)?gpl|gfdl)-(\d\.\d)(\+?)$/.exec(name);
  return gnu === null ? name : `${gnu[1]}-${gnu[2]}${gnu[3] === '+' ? '-or-later' : '-only'}`;
};

const worst = (list: readonly LicenseClassification[]): LicenseClassification | undefined =>
  list.toSorted((a, b) => RANK[b.verdict] - RANK[a.verdict])[0];

/** One's own choice: the mildest, and rather one that is known. */
const best = (list: readonly LicenseClassification[]): LicenseClassification | undefined => {
  const known = list.filter((one) => one.licenseClass !== 'unknown');
  return (known.length === 0 ? list : known).toSorted((a, b) => RANK[a.verdict] - RANK[b.verdict])[0];
};

/** Judges the licences of components. `A OR B` is as good as the better one, `A AND B` and several entries as bad as the worse one. */
export const createLicenseClassifier = (policy: LicensePolicy, rules: LicenseRules) => {
  const exceptions = new Map(policy.licenses.map(({ license, verdict }) => [sameName(license), verdict]));
  const classifyText = (license: string): LicenseClassification => {
    const licenseClass = rules.classOf(license);
    return { license, licenseClass, verdict: exceptions.get(sameName(license)) ?? policy.classes[licenseClass] };
  };
  const classifyExpression = (expression: LicenseExpression): LicenseClassification => {
    const text = formatLicenseExpression(expression);
    if (expression.kind === 'license') return classifyText(text);
    const parts = expression.parts.map(classifyExpression);
    return (expression.kind === 'or' ? best(parts) : worst(parts)) ?? classifyText(text);
  };
  const classifyEntry = (license: string): LicenseClassification => {
    const expression = parseLicenseExpression(license);
    return expression === undefined ? classifyText(license) : classifyExpression(expression);
  };
  return (licenses: readonly string[]): LicenseClassification =>
    worst(licenses.map(classifyEntry)) ?? {
      license: undefined,
      licenseClass: 'unknown',
      verdict: policy.classes.unknown,
    };
};

/** Names that a list of exceptions holds more than once. */
export const repeatedLicenses = (licenses: readonly LicenseException[]): string[] => {
  const names = licenses.map(({ license }) => sameName(license));
  return licenses.filter((_, index) => names.indexOf(names[index] ?? '') !== index).map(({ license }) => license);
};

/** Whether two policies say the same. */
export const isSamePolicy = (a: LicensePolicy, b: LicensePolicy): boolean =>
  LICENSE_CLASSES.every((one) => a.classes[one] === b.classes[one]) &&
  JSON.stringify(a.licenses) === JSON.stringify(b.licenses);
