import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { createLicenseRules, type LicenseRules } from '../model/license-rules.ts';

const LicenseFile = Type.Array(Type.Object({ id: Type.String(), name: Type.String(), category: Type.String() }));

const readRules = (): LicenseRules => {
  const file = new URL('../../../data/spdx-licenses.json', import.meta.url);
  return createLicenseRules(Value.Parse(LicenseFile, JSON.parse(readFileSync(file, 'utf8'))));
};

let rules: LicenseRules | undefined;

/** The rules of this process; the file (74 kB) is read at the first use. */
export const licenseRules = (): LicenseRules => {
  rules ??= readRules();
  return rules;
};
