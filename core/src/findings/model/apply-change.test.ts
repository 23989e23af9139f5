import { expect, test } from 'vitest';
import { applyToggle } from './apply-change.ts';
import type { DecidedFinding } from './decided-finding.ts';

const FINDING: DecidedFinding = {
  status: 'enriched',
  verdict: 'none',
  verdict_reason: null,
  verdict_expires_at: null,
  needs_confirmation: false,
  severity: 'high',
  severity_numerical: 80,
  reported_severity: null,
  reported_severity_numerical: null,
  issue_owner: null,
  tags: [],
  notes: null,
  developers: null,
  review_requested_by_id: null,
  proposed_verdict: null,
  proposed_reason: null,
};

test.each([
  ['none', undefined, 'false_positive'],
  ['accepted_risk', undefined, 'false_positive'],
  ['false_positive', 'none', 'none'],
  ['false_positive', 'accepted_risk', 'accepted_risk'],
  ['false_positive', 'false_positive', 'none'],
  ['false_positive', 'unheard of', 'none'],
  ['false_positive', undefined, 'none'],
] as const)('%s, before it %s, becomes %s', (verdict, before, after) => {
  // as stored: what a history says is not known to be a verdict
  const stored = before === undefined ? undefined : JSON.parse(JSON.stringify({ verdict: before }));
  expect(applyToggle({ ...FINDING, verdict }, stored)).toMatchObject({ next: { verdict: after } });
});

test('who says what it is to be changes nothing where it is that already', () => {
  const marked = { ...FINDING, verdict: 'false_positive', verdict_reason: 'Only a test' } as const;
  expect(applyToggle(marked, undefined, { isFalsePositive: true })).toEqual({ next: marked, entries: [] });
  expect(applyToggle(FINDING, undefined, { isFalsePositive: false })).toEqual({ next: FINDING, entries: [] });
  expect(applyToggle(FINDING, undefined, { isFalsePositive: true })).toMatchObject({
    next: { verdict: 'false_positive' },
  });
});

test('off restores the reason and the expiry date of the verdict before, and takes its own reason along only in the history', () => {
  const accepted = {
    verdict: 'accepted_risk',
    verdict_reason: 'Old',
    verdict_expires_at: '2027-01-31T00:00:00Z',
  } as const;
  const now = { ...FINDING, verdict: 'false_positive', verdict_reason: 'Only a test' } as const;
  expect(applyToggle(now, accepted, { reason: ' Misread ' })).toEqual({
    next: { ...FINDING, ...accepted },
    entries: [
      {
        kind: 'verdict',
        from: 'false_positive',
        to: 'accepted_risk',
        reason: 'Misread',
        before: expect.objectContaining({ verdict: 'false_positive', verdict_reason: 'Only a test' }),
      },
    ],
  });
});
