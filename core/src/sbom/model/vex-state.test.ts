import { expect, test } from 'vitest';
import { type StatedVerdict, vexAnalysis } from './vex-state.ts';

test.each<[StatedVerdict, boolean, boolean, object]>([
  ['none', false, true, { state: 'in_triage' }],
  ['none', true, true, { state: 'resolved' }],
  ['valid', false, true, { state: 'exploitable', response: ['update'] }],
  ['valid', false, false, { state: 'exploitable' }],
  ['valid', true, false, { state: 'resolved' }],
  ['accepted_risk', false, true, { state: 'exploitable', response: ['will_not_fix'] }],
  ['accepted_risk', true, true, { state: 'resolved' }],
  ['false_positive', false, true, { state: 'false_positive' }],
  ['false_positive', true, true, { state: 'false_positive' }],
  ['mitigated_externally', false, true, { state: 'not_affected', justification: 'protected_by_mitigating_control' }],
])('verdict %s, closed %s, fix known %s', (verdict, isClosed, hasFix, wanted) => {
  expect(vexAnalysis({ verdict, isClosed, hasFix })).toEqual(wanted);
});
