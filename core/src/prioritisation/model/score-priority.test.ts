import { FINDING_TYPES, SEVERITIES } from '@breakwater/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PackageUse, type PriorityFacts, scorePriority } from './score-priority.ts';
import { PRIORITY_PARTS, sumOfPoints } from './settings/priority-settings.ts';

const kev = {
  cve: 'CVE-2023-44487',
  name: 'HTTP/2',
  dateAdded: '2023-10-10',
  dueDate: '2023-10-31',
  requiredAction: 'Update',
  isRansomware: false,
};
const facts = (more: Partial<PriorityFacts> = {}): PriorityFacts => ({
  severity: 'medium',
  type: 'SAST',
  exposure: 'unknown',
  dataClass: 'unknown',
  tie: { isPackage: false },
  ...more,
});
const partOf = (given: PriorityFacts, key: string) => scorePriority(given).parts.find((part) => part.key === key);

const anyFacts: fc.Arbitrary<PriorityFacts> = fc.record({
  severity: fc.constantFrom(...SEVERITIES),
  cvssScore: fc.option(fc.double({ min: 0, max: 10, noNaN: true }), { nil: undefined }),
  cvssVector: fc.option(
    fc.constantFrom('CVSS:3.1/AV:N/AC:L/PR:N/UI:N', 'CVSS:3.1/AV:L/PR:L', 'AV:N/AC:L/Au:N', '', 'nonsense', '//:'),
    { nil: undefined },
  ),
  kev: fc.option(fc.constant(kev), { nil: undefined }),
  epss: fc.option(fc.record({ probability: fc.double({ min: 0, max: 1, noNaN: true }) }), { nil: undefined }),
  likelihood: fc.option(fc.constantFrom('High', 'Medium', 'Low'), { nil: undefined }),
  type: fc.constantFrom(...FINDING_TYPES),
  exposure: fc.constantFrom('internet', 'internal', 'unknown'),
  dataClass: fc.constantFrom('sensitive', 'business', 'public', 'unknown'),
  owasp: fc.option(fc.constant('A05:2025'), { nil: undefined }),
  packageUse: fc.option(
    fc.record({
      use: fc.constantFrom('imported', 'transitive', 'not_imported', 'unknown'),
      component: fc.constant('lodash'),
    }),
    { nil: undefined },
  ),
  tie: fc.record({
    isPackage: fc.boolean(),
    fix: fc.constantFrom(undefined, 'available', 'none'),
    effort: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    place: fc.constantFrom(undefined, 'requests', 'code', 'test'),
    flowSteps: fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined }),
    cve: fc.constantFrom(undefined, 'CVE-1999-0001', 'CVE-2023-44487', 'CVE-2099-999999'),
    isTopWeakness: fc.boolean(),
  }),
});

test('the parts are whole numbers but the last, and add up to a priority of 0 to 100, at or above its floor', () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      const { priority, parts } = scorePriority(given);
      expect(sumOfPoints(parts.map(({ points }) => points))).toBe(priority);
      expect(parts.at(-1)?.key).toBe('tie_break');
      expect(priority).toBeGreaterThanOrEqual(given.kev === undefined ? 0 : 90);
      expect(priority).toBeLessThanOrEqual(100);
      const isSevere = given.severity === 'critical' || given.severity === 'high';
      if (isSevere && (given.epss?.probability ?? 0) >= 0.5) expect(priority).toBeGreaterThanOrEqual(80);
      for (const part of parts) {
        if (part.key === 'tie_break') expect(part.points).toBeLessThan(1);
        else expect(Number.isInteger(part.points)).toBe(true);
        expect(part.points).toBeLessThanOrEqual(part.of);
        expect(part.points).toBeGreaterThanOrEqual(0);
        expect(part.reason).not.toBe('');
      }
    }),
  );
});

test('knowing of an exploit never lowers a priority', () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      expect(scorePriority({ ...given, kev }).priority).toBeGreaterThanOrEqual(
        scorePriority({ ...given, kev: undefined }).priority,
      );
    }),
  );
});

test('how the code uses a package never raises the points of a priority, and touches no other of their parts', () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      const [withUse, without] = [scorePriority(given), scorePriority({ ...given, packageUse: undefined })];
      expect(Math.floor(withUse.priority)).toBeLessThanOrEqual(Math.floor(without.priority));
      for (const [index, part] of without.parts.entries()) {
        if (!['exploitability', 'floor', 'tie_break'].includes(part.key)) expect(withUse.parts[index]).toEqual(part);
      }
    }),
  );
});

describe('each part says what it rests on', () => {
  test('the score of the report goes before the word', () => {
    expect(partOf(facts({ severity: 'low', cvssScore: 7.5 }), 'severity')).toEqual({
      key: 'severity',
      points: 30,
      of: 40,
      reason: 'CVSS 7.5',
    });
    expect(partOf(facts({ severity: 'high' }), 'severity')).toMatchObject({ points: 32, reason: 'Severity high' });
  });
  test('known exploitation gives all its points and a floor', () => {
    const { priority, parts } = scorePriority(facts({ kev }));
    expect(priority).toBe(90);
    expect(parts.at(-2)).toEqual({ key: 'floor', points: 43, of: 43, reason: 'Known exploited: at least 90' });
    expect(parts[1]).toMatchObject({ points: 25, reason: 'Known to be exploited, CISA 10 Oct 2023' });
  });
  test('a likely exploit of a severe finding has a floor of its own, of a lesser one none', () => {
    const epss = { probability: 0.6, percentile: 0.98, date: '2026-08-22' };
    expect(scorePriority(facts({ severity: 'high', epss })).priority).toBe(80);
    expect(scorePriority(facts({ severity: 'medium', epss })).parts.some((part) => part.key === 'floor')).toBe(false);
    expect(partOf(facts({ epss }), 'epss')?.reason).toBe('EPSS 60%, above 98% of all, 22 Aug 2026');
  });
  test('an attack over the network without sign-in counts most', () => {
    expect(partOf(facts({ cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U' }), 'exploitability')?.points).toBe(10);
    expect(partOf(facts({ cvssVector: 'CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U' }), 'exploitability')?.points).toBe(1);
    expect(partOf(facts({ likelihood: 'Medium' }), 'exploitability')?.points).toBe(6);
  });
  test.each<[PackageUse, number, string]>([
    ['imported', 10, ''],
    ['unknown', 10, ''],
    ['transitive', 8, '; lodash comes only with another package'],
    ['not_imported', 5, '; no source file imports lodash'],
  ])('a package that is %s', (use, points, said) => {
    const known = { cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U', packageUse: { use, component: 'lodash' } };
    const reason = `Reached from the network, without sign-in or a victim${said}`;
    expect(partOf(facts(known), 'exploitability')).toMatchObject({ points, reason });
    expect(scorePriority(facts({ ...known, kev })).priority).toBe(90);
  });
  test('what is not known gives nothing', () => {
    expect(scorePriority(facts({ severity: 'informational' })).priority).toBe(0);
  });
});

test('the weights add up to 100', () => {
  expect(Object.values(PRIORITY_PARTS).reduce((sum, weight) => sum + weight, 0)).toBe(100);
});
