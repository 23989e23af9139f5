import { expect, test } from 'vitest';
import { findingIssues, isNormalizedFinding } from './finding-schema.ts';

const least = { kind: 'finding', ruleId: 'R1', title: 'Weak hash', type: 'SAST', severity: 'high' };

test('the least finding and a full one are taken', () => {
  const full = {
    ...least,
    cwe: [328],
    cvssScore: 7.5,
    epss: { probability: 0.1 },
    component: { name: 'lodash', version: '4.17.0' },
    locations: [{ path: 'a.ts', startLine: 3 }],
    suppressed: { verdict: 'false_positive' },
    http: { request: 'GET / HTTP/1.1', response: 'HTTP/1.1 200 OK', curl: 'curl https://a.example/' },
  };
  expect(isNormalizedFinding(least)).toBe(true);
  expect(findingIssues(full)).toEqual([]);
});

test.each([
  [null, /finding/],
  [{ ...least, severity: 'High' }, /severity/],
  [{ ...least, type: 'sast' }, /type/],
  [{ ...least, ruleId: '' }, /ruleId/],
  [{ ...least, cvss: 7 }, /cvss: is not a known field/],
  [{ ...least, cvssScore: 75 }, /cvssScore/],
  [{ ...least, locations: [{ path: 'a.ts', startLine: 0 }] }, /locations\.0\.startLine/],
  [{ ...least, http: { answer: 'HTTP/1.1 200 OK' } }, /http\.answer|http: /],
  [{ kind: 'finding' }, /ruleId/],
])('%j is refused with its reason', (value, reason) => {
  expect(isNormalizedFinding(value)).toBe(false);
  expect(findingIssues(value).join('; ')).toMatch(reason);
});
