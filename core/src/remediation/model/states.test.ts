import { expect, test } from 'vitest';
import { FINDING_STATUS_OF, nextStatus, PROCESSING_STATUSES, REMEDIATION_EVENTS } from './states.ts';

test('what each event makes of each state is the decided table', () => {
  const table = PROCESSING_STATUSES.map((status) => [
    status,
    REMEDIATION_EVENTS.flatMap((event) => {
      const next = nextStatus(status, event);
      return next === undefined ? [] : [`${event} ${next}`];
    }).join(', '),
  ]);
  expect(Object.fromEntries(table)).toEqual({
    pending_input: 'generate processing, planned ready, input_needed pending_input, fail failed',
    processing:
      'generate processing, planned ready, input_needed pending_input, fail failed, exceed_quota quota_exceeded',
    ready:
      'generate processing, fail failed, edit ready, open_pull_request pr_submitted, open_issue issued, set_settings applied',
    pr_submitted: 'merge applied, close ready',
    issued: 'merge applied, close ready',
    applied: 'generate processing',
    failed: 'generate processing, edit ready',
    quota_exceeded: 'generate processing',
  });
});

test('a pull request that is only opened mitigates nothing', () => {
  expect(Object.values(FINDING_STATUS_OF)).not.toContain('mitigated');
  expect(FINDING_STATUS_OF.applied).toBe('pr_accepted');
});
