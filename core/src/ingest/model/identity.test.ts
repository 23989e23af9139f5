import type { NormalizedFinding } from '@breakwater/sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  identityText,
  languageOfPath,
  normaliseCode,
  normalisePath,
  normaliseResource,
  packageName,
} from './identity.ts';

const finding = (more: Partial<NormalizedFinding> = {}): NormalizedFinding => ({
  kind: 'finding',
  ruleId: 'r',
  title: 't',
  type: 'SAST',
  severity: 'high',
  locations: [{ path: 'a.js', startLine: 1, snippet: 'query(x)' }],
  ...more,
});
const same = (a: Partial<NormalizedFinding>, b: Partial<NormalizedFinding>): boolean =>
  identityText('tool', finding(a)) === identityText('tool', finding(b));

test('line, severity, texts, scores and indentation are no part of it', () => {
  const changed = {
    title: 'x',
    description: 'y',
    severity: 'low',
    cvssScore: 3,
    locations: [{ path: './a.js', startLine: 99, snippet: '\t query(x)\r\n' }],
  } as const;
  expect(same({}, { ...changed, locations: [...changed.locations] })).toBe(true);
});

test.each<[string, Partial<NormalizedFinding>]>([
  ['rule', { ruleId: 'other' }],
  ['path', { locations: [{ path: 'b.js', snippet: 'query(x)' }] }],
  ['code', { locations: [{ path: 'a.js', snippet: 'query(y)' }] }],
  ['secret', { secretHash: 'aa' }],
  ['component', { component: { name: 'lib' } }],
])('another %s is another finding', (_name, change) => {
  expect(same({}, change)).toBe(false);
});

test('the version of a package is no part of it, its name and ecosystem are', () => {
  expect(same({ component: { name: 'lib', version: '1' } }, { component: { name: 'lib', version: '2' } })).toBe(true);
  expect(
    same({ component: { name: 'lib', ecosystem: 'npm' } }, { component: { name: 'lib', ecosystem: 'pypi' } }),
  ).toBe(false);
});

test('a tool’s fingerprint counts only where there is no code', () => {
  expect(same({ fingerprint: '1' }, { fingerprint: '2' })).toBe(true);
  expect(same({ fingerprint: '1', locations: [] }, { fingerprint: '2', locations: [] })).toBe(false);
});

test('texts are normalised', () => {
  expect(normalisePath('.\\src\\\\a.js')).toBe('src/a.js');
  expect(normalisePath('/abs//b')).toBe('/abs/b');
  expect(normalisePath('https://app.example//a?to=http://x')).toBe('https://app.example//a?to=http://x');
  expect(normalisePath('C://src//a.cs')).toBe('C:/src/a.cs');
  expect(normaliseCode('  a  b \n\n\tc\r\n')).toBe('a b\nc');
  const lineByLine = (code: string): string =>
    code
      .split(/\r?\n/)
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter((line) => line !== '')
      .join('\n');
  const piece = fc.constantFrom(' ', '\n', '\r', '\t', '\f', '\u00a0', '\u2028', 'a', 'b');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const code = pieces.join('');
      expect(normaliseCode(code)).toBe(lineByLine(code));
    }),
  );
  expect(normaliseResource('registry:5000/team/app:1.2@sha256:abc (debian 12)')).toBe('registry:5000/team/app');
  expect(normaliseResource('arn:aws:s3:::bucket')).toBe('arn:aws:s3:::bucket');
  expect(packageName('@Scope/Lib')).toBe('lib');
  expect(packageName('commons-io:commons-io')).toBe('commons-io');
  expect([languageOfPath('x/Dockerfile'), languageOfPath('a.TSX'), languageOfPath('LICENSE')]).toEqual([
    'dockerfile',
    'typescript',
    '',
  ]);
});
