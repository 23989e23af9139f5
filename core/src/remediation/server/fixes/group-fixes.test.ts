import { expect, test } from 'vitest';
import type { FixCandidate } from '../../../findings/server/index.ts';
import { ENGLISH } from '../../../platform/model/translator.ts';
import { groupFixes } from './group-fixes.ts';

let entry = 0;
const candidate = (change: Partial<FixCandidate>): FixCandidate => {
  entry += 1;
  return {
    ...{ component: null, ecosystem: null, version: null, purl: null, fixedVersion: null, tool: 'grype', ruleId: '' },
    ...{ title: 'A flaw', type: 'SCA', count: 1, best: 50, entries: [entry], ...change },
  };
};
const jwt = (fixedVersion: string | null, change: Partial<FixCandidate> = {}): FixCandidate =>
  candidate({ component: 'express-jwt', ecosystem: 'npm', version: '0.1.3', fixedVersion, ...change });
const shown = (...candidates: FixCandidate[]) =>
  groupFixes(candidates).map(({ key, label, count, best }) => [key, ENGLISH.say(label), count, best]);

test('one version clears all advisories of a package: the smallest that does', () => {
  expect(shown(jwt('6.0.0', { count: 8, best: 70 }), jwt('8.4.1', { count: 4, best: 90 }), jwt(null))).toEqual([
    ['npm:express-jwt@8.4.1', 'Upgrade express-jwt 0.1.3 → 8.4.1', 12, 90],
  ]);
});

test('several present versions of one target are one fix, whose label names none of them', () => {
  expect(shown(jwt('8.4.1'), jwt('8.4.1', { version: '0.1.4', count: 2 }))).toEqual([
    ['npm:express-jwt@8.4.1', 'Upgrade express-jwt to 8.4.1', 3, 50],
  ]);
});

test('rules that one template answers are one fix, whatever a scanner calls them', () => {
  const root = { type: 'IaC' as const, version: null };
  const rows = shown(
    candidate({ ...root, ruleId: 'DS002', count: 3 }),
    candidate({ ...root, ruleId: 'AVD-DS-0002', tool: 'kics', count: 2, best: 60 }),
    candidate({ type: 'Secrets', ruleId: 'github-pat', best: 80 }),
    candidate({ type: 'SAST', ruleId: 'sql-injection', best: 99 }),
  );
  expect(rows.map(([key, , count, best]) => [key, count, best])).toEqual([
    [expect.stringMatching(/^secret\./), 1, 80],
    ['docker.user', 5, 60],
  ]);
});

test('what cannot be upgraded is in no group', () => {
  const rows = shown(
    jwt('not a version'),
    candidate({ component: 'libc6', ecosystem: 'deb', version: '2.31', fixedVersion: '2.36' }),
    jwt('8.4.1', { component: 'a; rm -rf /' }),
    jwt('0.1.2'),
  );
  expect(rows).toEqual([]);
});
