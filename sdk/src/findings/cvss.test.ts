import { describe, expect, test } from 'vitest';
import { CVSS_V3, cvssLost, cvssMetrics, cvssV2Ease, cvssV3Ease, cvssV3Impact, cvssWeight } from './cvss.ts';

const WORST = new Map(cvssMetrics('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H'));

describe('metrics of a vector', () => {
  test('stand in its order, a repeated one twice, brackets left out', () => {
    expect(cvssMetrics('(AV:N/AV:L/Au:N)')).toEqual([
      ['AV', 'N'],
      ['AV', 'L'],
      ['Au', 'N'],
    ]);
    expect(cvssMetrics('CVSS:3.1/AV:N')[0]).toEqual(['CVSS', '3.1']);
  });

  test('a value that the scale does not know has no weight, also one that every object has', () => {
    expect(cvssWeight(CVSS_V3.AV, new Map([['AV', 'N']]), 'AV')).toBe(0.85);
    for (const value of ['X', 'constructor', ''])
      expect(cvssWeight(CVSS_V3.AV, new Map([['AV', value]]), 'AV')).toBeNaN();
    expect(cvssWeight(CVSS_V3.AV, new Map(), 'AV')).toBeNaN();
  });
});

// Source: the sub-scores that NVD gives CVE-2021-44228 (v3.1: exploitability 3.9, impact 6.0; v2: exploitability 8.6)
test('sub-scores are those of the specification', () => {
  expect(8.22 * cvssV3Ease(WORST, true)).toBeCloseTo(3.9, 1);
  expect(cvssV3Impact(cvssLost(CVSS_V3.CIA, WORST), true)).toBeCloseTo(6, 1);
  expect(20 * cvssV2Ease(new Map(cvssMetrics('AV:N/AC:M/Au:N/C:C/I:C/A:C')))).toBeCloseTo(8.6, 1);
  expect(cvssV3Impact(0, true)).toBeLessThan(0);
  expect(cvssV3Impact(Number.NaN, true)).toBeNaN();
});
