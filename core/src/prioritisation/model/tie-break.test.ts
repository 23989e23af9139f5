import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePlaceOf } from './code-place.ts';
import { scorePriority, tieFactsOf } from './score-priority.ts';
import { breakTie, isTopWeakness, oldestCve, type TieFacts, yearOfCve } from './tie-break.ts';

const facts = (more: Partial<TieFacts> = {}): TieFacts => ({ exposure: 'unknown', ...more });
const points = (more: Partial<TieFacts>): number => breakTie(facts(more)).points;

const anyTie: fc.Arbitrary<TieFacts> = fc.record({
  fix: fc.constantFrom(undefined, 'available', 'none'),
  effort: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
  packageUse: fc.constantFrom(undefined, 'imported', 'transitive', 'not_imported', 'unknown'),
  place: fc.constantFrom(undefined, 'requests', 'code', 'test'),
  flowSteps: fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined }),
  exposure: fc.constantFrom('internet', 'internal', 'unknown'),
  cve: fc.option(
    fc
      .tuple(fc.integer({ min: 1999, max: 2199 }), fc.integer({ min: 1, max: 9_999_999 }))
      .map((of) => `CVE-${of.join('-')}`),
    { nil: undefined },
  ),
  isTopWeakness: fc.boolean(),
});

test('it stays below one point in thousandths, so that it never outweighs a point, and always says why', () => {
  fc.assert(
    fc.property(anyTie, (given) => {
      const { points: sum, reason } = breakTie(given);
      expect(sum).toBeGreaterThanOrEqual(0);
      expect(sum).toBeLessThan(1);
      expect(Math.round(sum * 1000) / 1000).toBe(sum);
      expect(reason).not.toBe('');
    }),
  );
});

test('what can be fixed, is reached, is exposed and is known for longer comes first', () => {
  expect(points({ fix: 'available' })).toBeGreaterThan(points({ fix: 'none' }));
  expect(points({ effort: 10 })).toBeGreaterThan(points({ effort: 55 }));
  const uses = (['imported', 'unknown', 'transitive', 'not_imported'] as const).map((packageUse) =>
    points({ packageUse }),
  );
  expect(uses).toEqual([...uses].sort((a, b) => b - a));
  const places = (['requests', 'code', 'test'] as const).map((place) => points({ place }));
  expect(places).toEqual([...places].sort((a, b) => b - a));
  expect(points({ place: 'code', flowSteps: 2 })).toBeGreaterThan(points({ place: 'code', flowSteps: 9 }));
  expect(points({ place: 'code', flowSteps: 9 })).toBeGreaterThan(points({ place: 'code' }));
  expect(points({ exposure: 'internet' })).toBeGreaterThan(points({ exposure: 'internal' }));
  expect(points({ exposure: 'internal' })).toBeGreaterThan(points({}));
  expect(points({ cve: 'CVE-2019-10744' })).toBeGreaterThan(points({ cve: 'CVE-2023-44487' }));
  expect(points({ cve: 'CVE-2023-1000' })).toBeGreaterThan(points({ cve: 'CVE-2023-44487' }));
  expect(points({ isTopWeakness: true })).toBeGreaterThan(points({}));
});

test('the reason names each factor that is known', () => {
  const known = {
    fix: 'available',
    effort: 15,
    packageUse: 'imported',
    exposure: 'internet',
    cve: 'CVE-2023-44487',
  } as const;
  expect(breakTie(known)).toEqual({
    points: 0.753,
    reason: 'Fix available; Little work; Imported by the application; Open to the internet; Known since 2023',
  });
  expect(breakTie(facts({ place: 'requests', flowSteps: 3, isTopWeakness: true })).reason).toBe(
    'In code that handles requests; Data flow of 3 steps; Weakness of the CWE Top 25',
  );
  expect(breakTie(facts()).reason).toBe('Nothing tells it from others');
});

test.each([
  ['routes/login.ts', 'requests'],
  ['src/main/java/shop/OrderController.java', 'requests'],
  ['app/views.py', 'requests'],
  ['lib/insecurity.ts', 'code'],
  ['src/testimonials.ts', 'code'],
  ['src/latest/run.ts', 'code'],
  ['frontend/src/app/app.guard.spec.ts', 'test'],
  ['routes/__tests__/login.ts', 'test'],
  ['pkg/server_test.go', 'test'],
  ['src/test/java/shop/OrderTest.java', 'test'],
])('%s is %s', (path, place) => {
  expect(codePlaceOf(path)).toBe(place);
});

test('the oldest of several CVE ids counts, and other names have no year', () => {
  expect(oldestCve('CVE-2023-2', ['GHSA-aaaa-bbbb-cccc', 'CVE-2021-9', 'CVE-2021-10'])).toBe('CVE-2021-9');
  expect(oldestCve(undefined, ['GHSA-aaaa-bbbb-cccc'])).toBeUndefined();
  expect(yearOfCve('GHSA-aaaa-bbbb-cccc')).toBeUndefined();
  expect(Math.floor(yearOfCve('CVE-2023-9999999') ?? 0)).toBe(2023);
  expect([isTopWeakness([73, 22]), isTopWeakness([73])]).toEqual([true, false]);
});

test('a package has a fix or none, own code has a place', () => {
  const said = { effort: null, flowSteps: null, cve: null, aliases: [], cwe: [] };
  expect(tieFactsOf({ ...said, component: 'stdlib', fixedVersion: '1.20.3', path: 'bin/esbuild' })).toMatchObject({
    ...{ isPackage: true, fix: 'available', place: undefined },
  });
  expect(tieFactsOf({ ...said, component: 'stdlib', fixedVersion: '', path: null }).fix).toBe('none');
  expect(tieFactsOf({ ...said, component: null, fixedVersion: null, path: 'routes/a.ts' })).toMatchObject({
    ...{ isPackage: false, fix: undefined, place: 'requests' },
  });
});

test('a priority of 100 has no room for more', () => {
  const tie = { isPackage: true, fix: 'available', effort: 10, cve: 'CVE-2021-44228' } as const;
  const all = scorePriority({
    ...{ severity: 'critical', cvssScore: 10, cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N', type: 'SCA', tie },
    ...{ kev: { dateAdded: '2021-12-10' }, epss: { probability: 1 }, owasp: 'A03:2025' },
    ...{ exposure: 'internet', dataClass: 'sensitive' },
  });
  expect(all.priority).toBe(100);
  expect(all.parts.at(-1)).toMatchObject({ key: 'tie_break', points: 0 });
});

test('a floor keeps its findings apart', () => {
  const of = (cve: string) =>
    scorePriority({
      ...{ severity: 'medium', type: 'SCA', exposure: 'unknown', dataClass: 'unknown' },
      kev: { dateAdded: '2023-10-10' },
      tie: { isPackage: true, fix: 'available', cve },
    }).priority;
  expect(of('CVE-2019-10744')).toBeGreaterThan(of('CVE-2023-44487'));
  expect(Math.floor(of('CVE-2023-44487'))).toBe(90);
});
