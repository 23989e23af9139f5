import { expect, test } from 'vitest';
import { type DuplicateFacts, duplicateReasons } from './duplicate-reasons.ts';
import { duplicateReasonText } from './labels.ts';

const FACTS: DuplicateFacts = {
  ...{ cve: null, ruleId: 'a', aliases: [], cwe: [], packageKey: null, path: null, line: null, resource: null },
  ...{ isSecret: false, isCheck: false, secretHash: null },
};
const OTHER = { ...FACTS, ruleId: 'b' };
const PACKAGE = { packageKey: 'lib 1.0', path: 'app/package-lock.json' };
const LINE = { path: 'a.ts', line: 4 };

test.each<[string, Partial<DuplicateFacts>, Partial<DuplicateFacts>, string]>([
  [
    'a CVE that one tool gives as alias',
    { ...PACKAGE, cve: 'CVE-2024-7' },
    { ...PACKAGE, ruleId: 'GHSA-1', aliases: ['cve-2024-7'] },
    'Same CVE, same component and version, same file',
  ],
  [
    'an alias that both have',
    { ...PACKAGE, ruleId: 'GHSA-1' },
    { ...PACKAGE, path: '/app/package-lock.json', ruleId: 'PYSEC-1', aliases: ['GHSA-1'] },
    'Same advisory alias, same component and version, same file',
  ],
  ['a weakness on one line', { ...LINE, cwe: [89, 20] }, { ...LINE, cwe: [20] }, 'Same weakness, same file and line'],
  [
    'credentials in code and a secret',
    { ...LINE, cwe: [798] },
    { ...LINE, isSecret: true },
    'Same secret, same file and line',
  ],
  [
    'a secret in two places',
    { ...LINE, isSecret: true, secretHash: '1' },
    { path: 'b.ts', line: 9, isSecret: true, secretHash: '1' },
    'Same secret',
  ],
  [
    'a failed check',
    { ...LINE, isCheck: true, resource: 'aws_s3_bucket.a' },
    { path: 'a.ts', line: 9, isCheck: true, resource: 'aws_s3_bucket.a' },
    'Same kind of check, same file, same resource',
  ],
  [
    'nothing but a third result',
    { ...LINE, cwe: [89] },
    { path: 'b.ts', line: 4, cwe: [79] },
    'A third result says the same as both',
  ],
])('says why two results are the same: %s', (_name, one, other, text) => {
  const [a, b] = [
    { ...FACTS, ...one },
    { ...OTHER, ...other },
  ];
  expect(duplicateReasonText(duplicateReasons(a, b, 'certain'))).toBe(text);
  expect(duplicateReasons(b, a, 'certain')).toEqual(duplicateReasons(a, b, 'certain'));
});

test('what somebody decided comes first, and needs nothing in common', () => {
  expect(duplicateReasons(FACTS, OTHER, 'person')).toEqual(['person']);
  expect(duplicateReasons({ ...FACTS, ...LINE }, { ...OTHER, ...LINE }, 'person')).toEqual(['person', 'place']);
});
