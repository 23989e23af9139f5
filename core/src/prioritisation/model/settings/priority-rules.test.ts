import { FINDING_TYPES, SEVERITIES } from '@breakwater/sdk';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { type PriorityFacts, scorePriority } from '../score-priority.ts';
import { DEFAULT_RULES, isSameRules, rulesOf } from './priority-rules.ts';
import {
  changedSettings,
  DEFAULT_SETTINGS,
  isSameSettings,
  PRIORITY_PARTS,
  type PrioritySettings,
  StoredSettings,
  settingEntries,
  sumOfPoints,
  weighNothing,
} from './priority-settings.ts';
import { STANDARDS } from './standards.ts';

const own = (change: Parameters<typeof changedSettings>[1]): PrioritySettings =>
  changedSettings({ ...DEFAULT_SETTINGS, toggle: true }, change);
const nothing = (): PrioritySettings => ({
  toggle: true,
  industryStandardFrameworks: { cvss: 0, cwe: 0 },
  complianceFrameworks: { iso: 0, nist: 0, soc: 0 },
  exploitabilityFactors: { activeExploits: 0, easeExploitation: 0, epss: 0 },
  impactOnCriticalSystems: { vulnSensitiveData: 0, vulnImpactingCriticalData: 0 },
  complianceStandars: { pciDss4: 0, pciDss3: 0, dora: 0, cisBenchmarks: 0, soc2: 0, iso: 0, nist: 0 },
});
const only = (change: Parameters<typeof changedSettings>[1]): PrioritySettings => changedSettings(nothing(), change);

const facts = (more: Partial<PriorityFacts> = {}): PriorityFacts => ({
  severity: 'medium',
  type: 'SAST',
  exposure: 'unknown',
  dataClass: 'unknown',
  tie: { isPackage: false },
  ...more,
});
const part = (given: PriorityFacts, settings: PrioritySettings, key: string) =>
  scorePriority(given, rulesOf(settings)).parts.find((one) => one.key === key);

const weight = fc.integer({ min: 0, max: 100 });
const anySettings: fc.Arbitrary<PrioritySettings> = fc.record({
  toggle: fc.boolean(),
  industryStandardFrameworks: fc.record({ cvss: weight, cwe: weight }),
  complianceFrameworks: fc.record({ iso: weight, nist: weight, soc: weight }),
  exploitabilityFactors: fc.record({ activeExploits: weight, easeExploitation: weight, epss: weight }),
  impactOnCriticalSystems: fc.record({ vulnSensitiveData: weight, vulnImpactingCriticalData: weight }),
  complianceStandars: fc.record({
    ...{ pciDss4: weight, pciDss3: weight, dora: weight },
    ...{ cisBenchmarks: weight, soc2: weight, iso: weight, nist: weight },
  }),
});
const anyFacts: fc.Arbitrary<PriorityFacts> = fc.record({
  severity: fc.constantFrom(...SEVERITIES),
  type: fc.constantFrom(...FINDING_TYPES),
  cvssScore: fc.option(fc.double({ min: 0, max: 10, noNaN: true }), { nil: undefined }),
  cvssVector: fc.option(fc.constant('CVSS:3.1/AV:N/AC:L/PR:N/UI:N'), { nil: undefined }),
  kev: fc.option(fc.constant({ dateAdded: '2023-10-10' }), { nil: undefined }),
  epss: fc.option(fc.record({ probability: fc.double({ min: 0, max: 1, noNaN: true }) }), { nil: undefined }),
  exposure: fc.constantFrom('internet', 'internal', 'unknown'),
  tie: fc.record({ isPackage: fc.boolean(), place: fc.constantFrom('requests', 'code', 'test') }),
  dataClass: fc.constantFrom('sensitive', 'business', 'public', 'unknown'),
  owasp: fc.option(fc.constant('A05:2025'), { nil: undefined }),
});

describe('settings', () => {
  test('the schema knows exactly the settings of the table', () => {
    expect(Value.Check(StoredSettings, DEFAULT_SETTINGS)).toBe(true);
    expect(settingEntries(DEFAULT_SETTINGS)).toHaveLength(17);
    const entries = settingEntries(DEFAULT_SETTINGS).filter(({ part: of }) => of === 'compliance');
    expect(entries.map(({ group, name }) => `${group}.${name}`).sort()).toEqual(Object.keys(STANDARDS).sort());
  });
  test('a change keeps what it does not name, also where it says undefined', () => {
    const changed = own({ exploitabilityFactors: { epss: 70, activeExploits: undefined } });
    expect(changed.exploitabilityFactors).toEqual({ activeExploits: 25, easeExploitation: 10, epss: 70 });
    expect(changed.industryStandardFrameworks).toEqual(DEFAULT_SETTINGS.industryStandardFrameworks);
    expect(isSameSettings(changed, own({ exploitabilityFactors: { epss: 70 } }))).toBe(true);
    expect(isSameSettings(changed, own({}))).toBe(false);
  });
  test('only settings that are on can weigh nothing', () => {
    expect(weighNothing(nothing())).toBe(true);
    expect(weighNothing({ ...nothing(), toggle: false })).toBe(false);
    expect(weighNothing(only({ complianceStandars: { dora: 1 } }))).toBe(false);
  });
});

describe('rules', () => {
  test('the numbers that the product begins with are its weights', () => {
    expect(DEFAULT_RULES.weights).toEqual(PRIORITY_PARTS);
    expect(isSameRules(rulesOf(own({})), DEFAULT_RULES)).toBe(true);
  });
  test('switched off, the numbers are kept and do not count', () => {
    expect(rulesOf({ ...own({ industryStandardFrameworks: { cvss: 1 } }), toggle: false })).toEqual(DEFAULT_RULES);
  });
  test.each([
    ['severity', { industryStandardFrameworks: { cvss: 7 } }],
    ['known_exploited', { exploitabilityFactors: { activeExploits: 7 } }],
    ['epss', { exploitabilityFactors: { epss: 7 } }],
    ['exploitability', { exploitabilityFactors: { easeExploitation: 7 } }],
    ['data', { impactOnCriticalSystems: { vulnSensitiveData: 3, vulnImpactingCriticalData: 4 } }],
    ['compliance', { industryStandardFrameworks: { cwe: 1 }, complianceStandars: { nist: 3 } }],
  ] as const)('what alone counts has all 100 points: %s', (key, change) => {
    expect(rulesOf(only(change)).weights).toMatchObject({ [key]: 100 });
  });
  test('doubling every number changes nothing', () => {
    const doubled = only({
      industryStandardFrameworks: { cvss: 80, cwe: 10 },
      exploitabilityFactors: { activeExploits: 50, easeExploitation: 20, epss: 30 },
      impactOnCriticalSystems: { vulnSensitiveData: 4, vulnImpactingCriticalData: 6 },
    });
    expect(rulesOf(doubled).weights).toEqual(PRIORITY_PARTS);
  });
  test('three equal numbers are 34, 33 and 33 points', () => {
    const settings = only({ exploitabilityFactors: { activeExploits: 5, easeExploitation: 5, epss: 5 } });
    expect(rulesOf(settings).weights).toMatchObject({ known_exploited: 34, epss: 33, exploitability: 33 });
  });
});

test('under any settings the weights add up to 100, the parts to the priority, and the floors hold', () => {
  fc.assert(
    fc.property(anySettings, anyFacts, (settings, given) => {
      const rules = rulesOf(settings);
      expect(Object.values(rules.weights).reduce((sum, points) => sum + points, 0)).toBe(100);
      const { priority, parts } = scorePriority(given, rules);
      expect(sumOfPoints(parts.map(({ points }) => points))).toBe(priority);
      for (const { key, points, of } of parts) {
        expect(key === 'tie_break' ? points < 1 : Number.isInteger(points)).toBe(true);
        expect(points >= 0 && points <= of).toBe(true);
      }
      expect(priority).toBeLessThanOrEqual(100);
      if (given.kev !== undefined) expect(priority).toBeGreaterThanOrEqual(90);
      const isSevere = given.severity === 'critical' || given.severity === 'high';
      if (isSevere && (given.epss?.probability ?? 0) >= 0.5) expect(priority).toBeGreaterThanOrEqual(80);
    }),
  );
});

describe('what a part consists of', () => {
  test('data and reach count by their own numbers', () => {
    const data = only({ industryStandardFrameworks: { cvss: 50 }, impactOnCriticalSystems: { vulnSensitiveData: 50 } });
    expect(part(facts({ dataClass: 'sensitive' }), data, 'data')?.points).toBe(50);
    expect(part(facts({ dataClass: 'business' }), data, 'data')?.points).toBe(25);
    expect(part(facts({ exposure: 'internet' }), data, 'data')?.points).toBe(0);
    expect(part(facts({ exposure: 'internet', dataClass: 'sensitive' }), own({}), 'data')?.points).toBe(5);
  });
  test('a standard gives its share to the findings it speaks of', () => {
    const chosen = only({
      industryStandardFrameworks: { cvss: 20, cwe: 20 },
      complianceStandars: { cisBenchmarks: 20, pciDss4: 40 },
    });
    const cloud = part(facts({ type: 'Cloud' }), chosen, 'compliance');
    expect(cloud).toEqual({ key: 'compliance', points: 60, of: 80, reason: 'PCI DSS 4, CIS Benchmarks' });
    const code = part(facts({ owasp: 'A05:2025' }), chosen, 'compliance');
    expect(code).toMatchObject({ points: 60, reason: 'OWASP Top 10 A05:2025, PCI DSS 4' });
    expect(part(facts({ type: 'License' }), chosen, 'compliance')).toMatchObject({
      points: 0,
      reason: 'No chosen standard speaks of it',
    });
    expect(part(facts(), only({ industryStandardFrameworks: { cvss: 1 } }), 'compliance')).toMatchObject({
      of: 0,
      reason: 'No standard counts',
    });
  });
  test('packages of an image are components, how it is built is configuration', () => {
    const soc2 = only({ complianceStandars: { soc2: 1 } });
    const cis = only({ complianceStandars: { cisBenchmarks: 1 } });
    const [inside, built] = [facts({ type: 'Container', owasp: 'A03:2025' }), facts({ type: 'Container' })];
    expect([part(inside, soc2, 'compliance')?.points, part(inside, cis, 'compliance')?.points]).toEqual([100, 0]);
    expect(part(built, cis, 'compliance')?.points).toBe(100);
  });
});
