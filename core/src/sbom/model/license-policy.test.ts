import { describe, expect, it } from 'vitest';
import { licenseRules } from '../server/license-table.ts';
import { licenseFinding } from './license-finding.ts';
import { createLicenseClassifier, DEFAULT_POLICY, type LicensePolicy, repeatedLicenses } from './license-policy.ts';

const judged = (licenses: string[], change: Partial<LicensePolicy> = {}) => {
  const { verdict, license } = createLicenseClassifier({ ...DEFAULT_POLICY, ...change }, licenseRules())(licenses);
  return license === undefined ? verdict : `${verdict} ${license}`;
};
const forbid = (...licenses: string[]) => ({
  licenses: licenses.map((license) => ({ license, verdict: 'forbidden' as const })),
});

describe('the default policy', () => {
  it.each([
    [['MIT'], 'allowed MIT'],
    [['LGPL-2.1-only'], 'allowed LGPL-2.1-only'],
    [['GPL-3.0-only'], 'review GPL-3.0-only'],
    [['AGPL-3.0-or-later'], 'review AGPL-3.0-or-later'],
    [['BUSL-1.1'], 'review BUSL-1.1'],
    [['GPL-2.0-only WITH Classpath-exception-2.0'], 'allowed GPL-2.0-only WITH Classpath-exception-2.0'],
    [['MIT OR GPL-3.0-only'], 'allowed MIT'],
    [['GPL-3.0-only OR LicenseRef-x'], 'review GPL-3.0-only'],
    [['Apache-2.0 AND GPL-2.0-only'], 'review GPL-2.0-only'],
    [['(MIT OR GPL-3.0-only) AND (AGPL-3.0-only OR SSPL-1.0)'], 'review AGPL-3.0-only'],
    [['MIT', 'GPL-2.0-only'], 'review GPL-2.0-only'],
    [['GNU General Public License v3'], 'allowed GNU General Public License v3'],
    [['GPLv3'], 'review GPLv3'],
    [['LicenseRef-ours'], 'allowed LicenseRef-ours'],
    [[], 'allowed'],
  ])('%j: %s', (licenses, wanted) => expect(judged(licenses)).toBe(wanted));
});

describe('rules for single licences', () => {
  it('come before their class, in any case and by the older name of the same licence', () => {
    expect(judged(['MIT'], forbid('mit'))).toBe('forbidden MIT');
    expect(judged(['GPL-3.0-only'], forbid('GPL-3.0'))).toBe('forbidden GPL-3.0-only');
    expect(judged(['GPL-3.0+'], forbid('GPL-3.0-or-later'))).toBe('forbidden GPL-3.0+');
    expect(judged(['GPL-3.0-or-later'], forbid('GPL-3.0'))).toBe('review GPL-3.0-or-later');
    expect(judged(['Our Licence, v2'], forbid('our licence, V2'))).toBe('forbidden Our Licence, v2');
  });

  it('keep to the meaning of OR and AND', () => {
    expect(judged(['MIT OR Apache-2.0'], forbid('MIT'))).toBe('allowed Apache-2.0');
    expect(judged(['MIT OR Apache-2.0'], forbid('MIT', 'Apache-2.0'))).toBe('forbidden MIT');
    expect(judged(['MIT AND GPL-3.0-only'], forbid('MIT'))).toBe('forbidden MIT');
  });

  it('are found twice under two names of one licence', () => {
    expect(repeatedLicenses(forbid('GPL-3.0', 'MIT', 'gpl-3.0-only').licenses)).toEqual(['gpl-3.0-only']);
  });
});

it('what is not stated has a rule of its own', () => {
  expect(judged([], { classes: { ...DEFAULT_POLICY.classes, unknown: 'review' } })).toBe('review');
});

it('the finding stays the same when version or rule change, and says which licence decides', () => {
  const component = { name: 'lib', group: 'org.x', ecosystem: 'maven', licenses: ['MIT AND AGPL-3.0-only'] };
  const judgement = { license: 'AGPL-3.0-only', licenseClass: 'network_copyleft' } as const;
  const first = licenseFinding({ ...component, versions: ['1.0'] }, { ...judgement, verdict: 'review' });
  const second = licenseFinding({ ...component, versions: ['2.0'] }, { ...judgement, verdict: 'forbidden' });
  expect([first.severity, second.severity]).toEqual(['medium', 'high']);
  expect([first.ruleId, first.title, first.component]).toEqual([second.ruleId, second.title, second.component]);
  expect(first.component).toEqual({ name: 'org.x:lib', ecosystem: 'maven' });
  expect(first.description).toContain('The inventory says: MIT AND AGPL-3.0-only. Versions: 1.0.');
});
