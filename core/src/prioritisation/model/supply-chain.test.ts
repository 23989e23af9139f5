import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { POSTURE_TOPICS } from '../../platform/model/posture-checks.ts';
import { BY_CWE, BY_RULE, BY_TYPE, SLSA_GROUPS, supplyChainOf } from './supply-chain.ts';

const taxonomies = JSON.parse(readFileSync(new URL('../../../data/taxonomies.json', import.meta.url), 'utf8'));
const threats = new Map<string, string>(
  taxonomies.slsa_threats_v1_0.map((threat: { id: string; group: string }) => [threat.id, threat.group]),
);
const everything = [...Object.values(BY_TYPE), ...BY_CWE.values(), ...BY_RULE, ...Object.values(POSTURE_TOPICS)];

test('the tables name only threats and risks that there are', () => {
  expect(SLSA_GROUPS).toEqual(Object.fromEntries(threats));
  for (const place of everything) {
    for (const threat of place.slsa ?? []) expect(threats.has(threat)).toBe(true);
    for (const risk of place.cicd ?? []) expect(risk >= 1 && risk <= 10 && Number.isInteger(risk)).toBe(true);
  }
});

test('every weakness named is one of the catalogue', () => {
  const known = new Set(
    JSON.parse(readFileSync(new URL('../../../data/cwe.json', import.meta.url), 'utf8')).map(
      (entry: { id: number }) => entry.id,
    ),
  );
  const ofSettings = Object.values(POSTURE_TOPICS).flatMap(({ cwe }) => cwe ?? []);
  for (const id of [...BY_CWE.keys(), ...ofSettings])
    if (![937, 1035].includes(id)) expect(known.has(id), `CWE-${id}`).toBe(true);
});

const facts = (more: object) => ({ ruleId: 'r', title: 't', type: 'SAST' as const, ...more });

test.each<[string, string, object, string[], string[]]>([
  ['a weakness in own code', 'opengrep', { cwe: [89] }, [], []],
  ['a credential in own code', 'opengrep', { cwe: [798] }, ['B'], ['CICD-SEC-6']],
  ['a secret', 'gitleaks', { type: 'Secrets' }, ['B'], ['CICD-SEC-6']],
  ['a vulnerable dependency', 'grype', { type: 'SCA', component: { name: 'x' }, cwe: [79] }, ['D'], ['CICD-SEC-3']],
  ['a vulnerable package of an image', 'trivy', { type: 'Container', component: { name: 'x' } }, ['D'], ['CICD-SEC-3']],
  ['a Dockerfile', 'hadolint', { type: 'IaC', ruleId: 'DL3002' }, [], []],
  [
    'an unpinned action',
    'kics',
    { type: 'CI/CD', ruleId: '555', title: 'Unpinned Actions Full Length Commit SHA' },
    ['D', 'E'],
    ['CICD-SEC-3', 'CICD-SEC-8'],
  ],
  ['a workflow that may write everything', 'checkov', { type: 'CI/CD', ruleId: 'CKV2_GHA_1' }, ['E'], ['CICD-SEC-5']],
  ['CKV_GHA_7 is not CKV_GHA_70', 'checkov', { type: 'CI/CD', ruleId: 'CKV_GHA_70' }, ['E'], ['CICD-SEC-7']],
  [
    'no second factor',
    'checkov',
    { type: 'CI/CD', ruleId: 'CKV_GITHUB_1', title: 'Ensure GitHub organization security settings require 2FA' },
    ['B'],
    ['CICD-SEC-2'],
  ],
  ['no review of changes', 'chainbench', { type: 'Supply chain', ruleId: '1.1.3' }, ['A'], ['CICD-SEC-1']],
  ['a registry', 'chainbench', { type: 'Supply chain', ruleId: '4.3.1' }, ['G'], ['CICD-SEC-9']],
  ['a package name that is free', 'dustilock', { type: 'Supply chain' }, ['D', 'G'], ['CICD-SEC-3']],
  [
    'a setting of a repository',
    'posture',
    { type: 'CI/CD', ruleId: 'secrets-in-forks' },
    ['E'],
    ['CICD-SEC-4', 'CICD-SEC-6'],
  ],
  ['its name is no setting of others', 'x', { type: 'CI/CD', ruleId: 'secrets-in-forks' }, ['E'], ['CICD-SEC-7']],
  ['malware', 'clamav', { type: 'Malware' }, ['H'], []],
  ['a licence', 'trivy', { type: 'License', component: { name: 'x' } }, [], []],
])('%s', (_what, tool, more, slsa, cicd) => {
  expect(supplyChainOf(tool, facts(more))).toEqual({ slsaThreats: slsa, owaspCicd: cicd });
});
