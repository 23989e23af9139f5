import { FINDING_TYPES, SEVERITIES } from '@breakwater/sdk';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { loadReferenceData } from '../server/index.ts';
import { type AdviceFacts, estimatedMitigation, estimatedPolicy, languageOfEcosystem } from './advice.ts';
import { cvssShares } from './cvss-shares.ts';
import { type EstimateFacts, estimate, upgradeEffort } from './estimates.ts';
import type { ReferenceData } from './reference.ts';
import { hardestClassOf, WEAKNESS_CLASSES, weaknessClassOf } from './weakness-classes.ts';

let reference: ReferenceData;
beforeAll(async () => {
  reference = await loadReferenceData();
});

const facts = (more: Partial<EstimateFacts> = {}): EstimateFacts => ({
  type: 'SAST',
  severity: 'high',
  cwe: [],
  ...more,
});
const kev = { cve: 'CVE-1', name: '', dateAdded: '2024-01-01', dueDate: '', requiredAction: '', isRansomware: false };

// exploitability 3.9 and impact 5.9 of v3.1 are the most of an unchanged scope; figures as FIRST's calculators show them
test.each([
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 100, 97],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 100, 100],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', 100, 59],
  ['CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N', 47, 59],
  ['CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 3, 23],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:N/I:N/A:N', 100, 0],
  ['AV:N/AC:L/Au:N/C:C/I:C/A:C', 100, 100],
  ['(AV:N/AC:M/Au:N/C:P/I:P/A:P)', 86, 64],
  ['AV:L/AC:H/Au:M/C:N/I:P/A:N', 12, 29],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 100, 97],
  ['CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:A/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N', 55, 23],
])('%s', (vector, exploitability, impact) => {
  const shares = cvssShares(vector);
  expect(Math.round((shares?.exploitability ?? -1) * 100)).toBe(exploitability);
  expect(Math.round((shares?.impact ?? -1) * 100)).toBe(impact);
  expect(shares?.isStandard).toBe(!vector.startsWith('CVSS:4'));
});

test.each([
  '',
  'CVSS:3.1',
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H',
  'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'no vector',
])('the broken vector "%s" says nothing', (vector) => expect(cvssShares(vector)).toBeUndefined());

test.each([
  ['a patch', '4.17.20', '4.17.21', 10],
  ['a minor version', '4.16.0', '4.17.21', 15],
  ['a major version', '3.9.0', '4.0.0', 55],
  ['before 1.0 a minor version may break', '0.4.1', '0.5.0', 55],
  ['before 1.0 a patch', '0.4.1', '0.4.2', 10],
  ['the nearest of several', '3.2.0', '4.0.1, 3.2.7', 10],
  ['one below the own line does not count', '4.1.0', '3.9.9, 5.0.0', 55],
  ['an own version that is not known', undefined, '1.2.3', 30],
  ['words', '1.0', 'see the notes', 30],
  ['only older ones', '4.1.0', '3.9.9', 30],
  ['no fix', '1.0.0', undefined, 80],
  ['an empty fix', '1.0.0', ' ', 80],
])('upgrade by %s', (_what, version, fixedVersion, effort) => {
  expect(upgradeEffort({ version, fixedVersion, ecosystem: 'npm' })).toBe(effort);
});

test('a package of the system comes with the next image', () => {
  expect(upgradeEffort({ version: '1.1.1n-0+deb11u3', fixedVersion: '3.0.1', ecosystem: 'deb' })).toBe(15);
});

test.each<[string, Partial<EstimateFacts>, number]>([
  ['an SQL injection', { cwe: [89] }, 25],
  ['a child of one (Hibernate)', { cwe: [564] }, 25],
  ['the harder of two', { cwe: [79, 502] }, 60],
  ['code without a weakness', {}, 40],
  ['a template', { type: 'IaC', cwe: [284] }, 10],
  ['a secret', { type: 'Secrets', cwe: [798] }, 30],
  ['a package without a fix', { type: 'SCA', cwe: [79], component: { version: '1.0.0' } }, 80],
  ['an image file', { type: 'Container' }, 10],
  ['a licence', { type: 'License' }, 60],
])('effort of %s', (_what, more, effort) => {
  expect(estimate(facts(more), reference).effort).toBe(effort);
});

test('known exploitation and prediction raise the ease, not the impact', () => {
  const low = facts({ severity: 'low' });
  expect(estimate(low, reference)).toMatchObject({ exploitability: 25, impact: 25 });
  expect(estimate({ ...low, epss: { probability: 0.5 } }, reference)).toMatchObject({ exploitability: 63, impact: 25 });
  expect(estimate({ ...low, kev }, reference)).toMatchObject({ exploitability: 95, impact: 25 });
  expect(estimate({ ...low, likelihood: 'High' }, reference).exploitability).toBe(53);
  expect(estimate({ ...low, type: 'Secrets' }, reference).exploitability).toBe(90);
});

const anyFacts: fc.Arbitrary<EstimateFacts> = fc.record({
  type: fc.constantFrom(...FINDING_TYPES),
  severity: fc.constantFrom(...SEVERITIES),
  cwe: fc.array(fc.oneof(fc.integer(), fc.constantFrom(79, 89, 502, 20, 664))),
  cvssScore: fc.option(fc.double({ min: 0, max: 10, noNaN: true }), { nil: undefined }),
  cvssVector: fc.option(
    fc.oneof(
      fc.string(),
      fc
        .tuple(
          fc.constantFrom(...'NALPX'),
          fc.constantFrom(...'LH'),
          fc.constantFrom(...'NLH'),
          fc.constantFrom(...'NR'),
          fc.constantFrom(...'UC'),
          fc.constantFrom(...'HLN'),
        )
        .map(([av, ac, pr, ui, s, c]) => `CVSS:3.1/AV:${av}/AC:${ac}/PR:${pr}/UI:${ui}/S:${s}/C:${c}/I:${c}/A:N`),
    ),
    { nil: undefined },
  ),
  epss: fc.option(fc.record({ probability: fc.double({ min: 0, max: 1, noNaN: true }) }), { nil: undefined }),
  kev: fc.constantFrom(undefined, kev),
  likelihood: fc.constantFrom('High', 'Medium', 'Low', undefined),
  component: fc.option(
    fc.record({ version: fc.string(), fixedVersion: fc.string(), ecosystem: fc.constantFrom('npm', 'deb') }),
    {
      nil: undefined,
    },
  ),
});

test('every estimate is a whole number from 0 to 100', () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      for (const value of Object.values(estimate(given, reference))) {
        expect(Number.isInteger(value) && value >= 0 && value <= 100, `${value}`).toBe(true);
      }
    }),
  );
});

test('worse severity, higher prediction and known exploitation never make it look better', () => {
  fc.assert(
    fc.property(
      anyFacts,
      fc.constantFrom(...SEVERITIES),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (given, severity, probability) => {
        const isWorse = SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(given.severity);
        const before = estimate(given, reference);
        const worse = estimate(
          {
            ...given,
            severity: isWorse ? severity : given.severity,
            epss: { probability: Math.max(probability, given.epss?.probability ?? 0) },
            kev,
          },
          reference,
        );
        expect(worse.exploitability).toBeGreaterThanOrEqual(before.exploitability);
        expect(worse.impact).toBeGreaterThanOrEqual(before.impact);
        expect(worse.effort).toBe(before.effort);
      },
    ),
  );
});

test('no weakness stands in two classes, all are weaknesses of the catalogue, and efforts lie within bounds', () => {
  const ids = WEAKNESS_CLASSES.flatMap((entry) => entry.cwes);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) if (id !== 1035) expect(reference.cwe(id), `CWE-${id}`).toBeDefined();
  for (const { effort } of WEAKNESS_CLASSES) expect(effort > 0 && effort <= 100).toBe(true);
});

test('a weakness without a class belongs to that of its nearest ancestor', () => {
  expect(weaknessClassOf(80, reference)?.name).toBe('cross-site scripting');
  expect(weaknessClassOf(664, reference)).toBeUndefined();
  expect(hardestClassOf([664, 89], reference)?.name).toBe('query injection');
  expect(weaknessClassOf(1, { cwe: (id) => ({ id, name: '', parents: [2, 1] }) })).toBeUndefined();
});

const advice = (more: Partial<AdviceFacts> = {}): AdviceFacts => ({
  type: 'SAST',
  cwe: [],
  component: null,
  componentVersion: null,
  fixedVersion: null,
  isVulnerableComponent: false,
  owasp2025: null,
  owaspCicd: [],
  ...more,
});

test.each<[string, Partial<AdviceFacts>, string]>([
  ['code', { cwe: [89] }, 'query injection: Hand values over as parameters'],
  ['code of no class', {}, 'Look where the value comes from'],
  ['a template', { type: 'IaC', cwe: [284] }, 'Set the attribute that the rule names'],
  ['a secret', { type: 'Secrets', cwe: [798] }, 'Revoke the secret'],
  [
    'a package',
    {
      type: 'SCA',
      isVulnerableComponent: true,
      component: 'lodash',
      componentVersion: '4.17.20',
      fixedVersion: '4.17.21',
    },
    'Update lodash from 4.17.20 to 4.17.21',
  ],
  [
    'a package without a fix',
    { type: 'SCA', isVulnerableComponent: true, component: 'left' },
    'No fixed version of left is known',
  ],
])('advice for %s calls itself an estimate', (_what, more, words) => {
  const text = estimatedMitigation(advice(more), reference);
  expect(text).toMatch(/^Estimate/);
  expect(text).toContain(words);
});

test('every family has advice', () => {
  for (const type of FINDING_TYPES) expect(estimatedMitigation(advice({ type }), reference).length).toBeGreaterThan(60);
});

test('the policy is the catalogue that has the weakness or the risk', () => {
  expect(estimatedPolicy({ owasp2025: 'A05:2025', owaspCicd: ['CICD-SEC-3'] }, reference)).toEqual({
    name: 'OWASP Top 10 2025',
    category: 'Injection',
    control: 'A05:2025',
  });
  expect(estimatedPolicy({ owasp2025: null, owaspCicd: ['CICD-SEC-6'] }, reference)).toMatchObject({
    name: 'OWASP CI/CD Top 10',
    control: 'CICD-SEC-6',
  });
  expect(estimatedPolicy({ owasp2025: null, owaspCicd: [] }, reference)).toBeUndefined();
});

test('the ecosystem names the language where it can', () => {
  expect(['npm', 'PyPI', 'deb', undefined].map(languageOfEcosystem)).toEqual(['javascript', 'python', '', '']);
});
