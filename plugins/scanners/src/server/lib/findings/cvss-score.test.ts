import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { baseScore } from './cvss-score.ts';
import { cvss } from './severity.ts';

/** Vectors with the scores that NVD and others gave them, from a recorded report of Grype. */
function recorded(): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  JSON.parse(
    readFileSync(new URL('../../../../../../core/data/demo-juice-shop/grype.json', import.meta.url), 'utf8'),
    (_key, value) => {
      const score: unknown = value?.metrics?.baseScore;
      if (typeof value?.vector === 'string' && typeof score === 'number') {
        found.set(value.vector, (found.get(value.vector) ?? new Set()).add(score));
      }
      return value;
    },
  );
  return found;
}

describe('base score', () => {
  test('is the one that databases give', () => {
    const vectors = [...recorded()].filter(([vector]) => !vector.startsWith('CVSS:4'));
    expect(vectors.length).toBeGreaterThan(20);
    for (const [vector, scores] of vectors) expect([...scores], vector).toContain(baseScore(vector));
  });

  // Source: examples of the CVSS v3.1 and v2 documents of FIRST, with the scores that they give
  test.each([
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
    ['CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
    ['CVSS:3.1/AV:L/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
    ['AV:N/AC:L/Au:N/C:N/I:N/A:C', 7.8],
    ['AV:N/AC:L/Au:N/C:C/I:C/A:C', 10],
    ['(AV:L/AC:H/Au:N/C:C/I:C/A:C)', 6.2],
    ['AV:L/AC:H/Au:N/C:N/I:N/A:N', 0],
  ])('%s is %f', (vector, score) => {
    expect(baseScore(vector)).toBe(score);
  });

  test.each([
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:X/C:H/I:H/A:H',
    'CVSS:3.1/AV:N/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:constructor/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
    '',
  ])('nothing for %j', (vector) => {
    expect(baseScore(vector)).toBeUndefined();
  });

  test('a rating without a score has that of its vector; a score that is stated stays', () => {
    const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
    expect(cvss(undefined, undefined, vector)).toEqual({ version: 3.1, score: 9.8, vector });
    expect(cvss('3.1', undefined, vector.slice('CVSS:3.1/'.length))).toEqual({ version: 3.1, score: 9.8, vector });
    expect(cvss(undefined, 5, vector)?.score).toBe(5);
  });
});
