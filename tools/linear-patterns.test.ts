import { describe, expect, test } from 'vitest';
import { patternsIn, worstCost } from './linear-patterns.ts';

/** 100 KB, the length that texts without a stated bound may have. */
const LENGTH = 100_000;
const MANY = 10_000_000;

describe('patterns that stopped the server, or an import', () => {
  test.each([
    ['a text that has no root, Fortify', String.raw`^\s*(?:<\?[\s\S]*?\?>\s*|<!--[\s\S]*?-->\s*)*<([\w.-]+)`, '', 2],
    ['nested repetition', '^(?:a+)+$', '', 9],
    ['newlines, SPDX', String.raw`^\s*SPDXVersion:\s*SPDX-`, 'm', 2],
    ['a quoted password, Bandit', String.raw`:\s*(['"])(.*)\1\s*$`, 's', 2],
    ['white space before a comment, Terrascan', String.raw`\s+#.*$`, '', 2],
    ['the last part of a name', '[^/:]+$', '', 2],
    ['blanks at line ends', String.raw`[ \t]+\n`, 'g', 2],
    ['an opening that is never closed', '<bom[^>]*cyclonedx', 'i', 2],
    ['one of two ways to begin', String.raw`(?:^|\.)([a-z]+_[a-z]+)\[([^\]]+)\]`, '', 2],
  ])('%s', (_, source, flags, degree) => {
    const cost = worstCost(source, flags, LENGTH);
    expect(cost.steps).toBeGreaterThan(MANY);
    expect(Math.round(cost.degree)).toBeGreaterThanOrEqual(degree);
  });
});

test.each([
  [String.raw`CVE-\d{4}-\d{4,}`, 'gi'],
  ['^[a-z0-9.-]{1,253}$', ''],
  [String.raw`^(\d{4})-(\d{2})-(\d{2})`, ''],
  [String.raw`[\r\n\t]`, ''],
  [String.raw`\s+`, 'g'],
  [String.raw`^[ \t]*SPDXVersion:[ \t]*SPDX-`, 'm'],
  [String.raw`^(?:"(?:[^"\\]|\\.)*"|[^\s"]+)$`, ''],
])('/%s/%s is linear', (source, flags) => {
  expect(worstCost(source, flags, LENGTH).steps).toBeLessThan(MANY);
});

test('literals, texts given to RegExp and schemas, each with the bound that its comment states', () => {
  const code = [
    "const a = /a+/g; const b = new RegExp('b+', 'i');",
    '// at most 2,000 characters',
    'const c = /c+$/;',
    "const d = Type.String({ pattern: '^d+$' });",
    '// our own text',
    'const e = (<p>{/e+$/.test(text)}</p>);',
  ].join('\n');
  expect(patternsIn('a.tsx', code).map(({ where, source, maxLength }) => [where, source, maxLength])).toEqual([
    ['a.tsx:1', 'a+', 100_000],
    ['a.tsx:1', 'b+', 100_000],
    ['a.tsx:3', 'c+$', 2_000],
    ['a.tsx:4', '^d+$', 100_000],
    ['a.tsx:6', 'e+$', 0],
  ]);
});
