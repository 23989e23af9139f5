import type { NormalizedFinding } from '@breakwater/sdk';
import { describe, expect, test } from 'vitest';
import { CheckoutPaths } from './checkout-paths.ts';

const finding = (path: string): NormalizedFinding => ({
  ...{ kind: 'finding', ruleId: 'R', title: 'R', type: 'SAST', severity: 'low' },
  locations: [{ path, startLine: 1 }],
});

function released(held: readonly string[], seen: readonly string[] = [], root?: string): (string | undefined)[] {
  const paths = new CheckoutPaths();
  for (const path of seen) paths.see(path);
  for (const path of held) paths.hold(finding(path));
  paths.root(root);
  return Array.from(paths.release(), ({ locations }) => locations?.[0]?.path);
}

describe('paths of a checkout', () => {
  test.each([
    [
      'from what all have in common',
      ['/builds/team/shop/src/a.js', '/builds/team/shop/test/b.js'],
      ['src/a.js', 'test/b.js'],
    ],
    [
      'a folder inside of the project stays',
      ['/builds/shop/src/a.js', '/builds/shop/src/b/c.js'],
      ['src/a.js', 'src/b/c.js'],
    ],
    [
      'sources of Java',
      ['/w/shop/src/main/java/acme/A.java', '/w/shop/src/main/java/acme/B.java'],
      ['src/main/java/acme/A.java', 'src/main/java/acme/B.java'],
    ],
    ['a single file', ['/work/shop/lib/a.js'], ['lib/a.js']],
    ['Windows', ['C:/work/shop/a.js', 'C:/work/shop/x/b.js'], ['a.js', 'x/b.js']],
    ['addresses', ['file:///work/shop/a.js', 'file:///work/shop/x/b.js'], ['a.js', 'x/b.js']],
    ['addresses of Windows', ['file:///C:/work/shop/a.js', 'C:/work/shop/x/b.js'], ['a.js', 'x/b.js']],
    ['relative ones stay', ['src/a.js', '/work/shop/b.js'], ['src/a.js', 'b.js']],
    ['nothing in common', ['/a/x.js', '/b/y.js'], ['a/x.js', 'b/y.js']],
  ])('%s', (_, paths, names) => expect(released(paths)).toEqual(names));

  test('files without findings count, and the folder that the report names before all', () => {
    expect(released(['/w/shop/deep/a.js'], ['/w/shop/b.js'])).toEqual(['deep/a.js']);
    expect(released(['/w/app/deep/a.js'], [], '/w/app')).toEqual(['deep/a.js']);
    expect(released(['/other/a.js'], [], '/w/app')).toEqual(['/other/a.js']);
  });
});
