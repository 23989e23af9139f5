import type { NormalizedFinding } from '@breakwater/sdk';
import { beforeAll, expect, test } from 'vitest';
import { enrich } from '../../model/enrich.ts';
import type { ReferenceData } from '../../model/reference.ts';
import { loadReferenceData } from './reference-data.ts';

let reference: ReferenceData;
beforeAll(async () => {
  reference = await loadReferenceData();
});

const finding = (more: Partial<NormalizedFinding>): NormalizedFinding => ({
  kind: 'finding',
  ruleId: 'r',
  title: 't',
  type: 'SAST',
  severity: 'high',
  ...more,
});

test('the files of core/data are read whole', () => {
  expect(reference.cwe(89)).toMatchObject({
    owasp2021: 'A03:2021',
    owasp2025: 'A05:2025',
    likelihood: 'High',
    parents: [74, 943],
  });
  expect(reference.kev('cve-2023-44487')).toMatchObject({ dateAdded: '2023-10-10' });
  expect(reference.epss('CVE-2023-44487')).toEqual({ probability: 0.99999, percentile: 0.99997, date: '2026-08-22' });
  expect(reference.owaspTitle('A05:2025')).toBe('Injection');
  expect(reference.cwe(0)).toBeUndefined();
});

test('code gets its OWASP category in both editions and is named by the newer', () => {
  expect(enrich(finding({ cwe: [89] }), { tool: 't', reference })).toMatchObject({
    owasp2021: 'A03:2021',
    owasp2025: 'A05:2025',
    category: 'Injection',
    likelihood: 'High',
  });
  expect(enrich(finding({}), { tool: 't', reference })).toMatchObject({
    owasp2025: undefined,
    category: 'Code weakness',
  });
});

test('a vulnerable package is its own category, whatever its weakness', () => {
  const given = finding({ type: 'SCA', cwe: [79], cve: 'CVE-2023-44487', component: { name: 'x' } });
  expect(enrich(given, { tool: 't', reference })).toMatchObject({
    owasp2025: 'A03:2025',
    category: 'Vulnerable dependency',
    kev: { cve: 'CVE-2023-44487' },
  });
});

test('an exploited CVE is found among the aliases', () => {
  expect(
    enrich(finding({ type: 'SCA', aliases: ['GHSA-qppj-fm5r-hxr3', 'CVE-2023-44487'] }), { tool: 't', reference }).kev
      ?.cve,
  ).toBe('CVE-2023-44487');
});

test.each([
  ['Secrets', 'Exposed secret'],
  ['IaC', 'Misconfiguration'],
  ['License', 'License'],
  ['Malware', 'Malware'],
  ['DAST', 'Web weakness'],
] as const)('%s is "%s"', (type, category) => {
  expect(enrich(finding({ type }), { tool: 't', reference }).category).toBe(category);
});

test('the newer exploit prediction wins; one without a date is not newer', () => {
  const own = (date?: string) =>
    finding({ cve: 'CVE-2023-44487', epss: { probability: 0.1, ...(date === undefined ? {} : { date }) } });
  expect(enrich(own('2026-09-01'), { tool: 't', reference }).epss?.probability).toBe(0.1);
  expect(enrich(own('2024-09-01'), { tool: 't', reference }).epss?.probability).toBe(0.99999);
  expect(enrich(own(), { tool: 't', reference }).epss?.probability).toBe(0.99999);
  expect(
    enrich(finding({ cve: 'CVE-1999-0001', epss: { probability: 0.1 } }), { tool: 't', reference }).epss?.probability,
  ).toBe(0.1);
});
