import type { FindingStatus } from '../../findings/model/states.ts';
import { msg } from '../../platform/model/message.ts';

export type { RemediationType } from '../../findings/model/states.ts';

/** How far a remediation is. Source: decisions.md "States". */
export const PROCESSING_STATUSES = [
  'pending_input',
  'processing',
  'ready',
  'pr_submitted',
  'issued',
  'applied',
  'failed',
  'quota_exceeded',
] as const;
export type ProcessingStatus = (typeof PROCESSING_STATUSES)[number];

/** What moves a remediation from one state to the next. */
export const REMEDIATION_EVENTS = [
  'generate',
  'planned',
  'input_needed',
  'fail',
  'exceed_quota',
  'edit',
  'open_pull_request',
  'open_issue',
  'set_settings',
  'merge',
  'close',
] as const;
export type RemediationEvent = (typeof REMEDIATION_EVENTS)[number];

/** What happens to a remediation without moving it. */
export const REMEDIATION_NOTES = ['open_failed', 'ticket', 'ticket_status', 'ticket_gone', 'ticket_failed'] as const;
/** What its history tells. */
export const CHANGE_KINDS = [...REMEDIATION_EVENTS, ...REMEDIATION_NOTES] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

type Transitions = Readonly<Partial<Record<RemediationEvent, ProcessingStatus>>>;

/** What a generation may end in. */
const ENDS = {
  planned: 'ready',
  input_needed: 'pending_input',
  fail: 'failed',
  exceed_quota: 'quota_exceeded',
} as const satisfies Transitions;

/** Every state with the events that it takes; all others are refused. */
export const TRANSITIONS: Readonly<Record<ProcessingStatus, Transitions>> = {
  // generated again while it waits: by somebody else, or by a process that took over
  processing: { generate: 'processing', ...ENDS },
  pending_input: { generate: 'processing', planned: 'ready', input_needed: 'pending_input', fail: 'failed' },
  ready: {
    generate: 'processing',
    edit: 'ready',
    fail: 'failed',
    open_pull_request: 'pr_submitted',
    open_issue: 'issued',
    set_settings: 'applied',
  },
  pr_submitted: { merge: 'applied', close: 'ready' },
  // `merge`: closed as done
  issued: { merge: 'applied', close: 'ready' },
  // of a finding that came back
  applied: { generate: 'processing' },
  failed: { generate: 'processing', edit: 'ready' },
  quota_exceeded: { generate: 'processing' },
};

/** The state that follows; undefined where the event means nothing in this state. */
export const nextStatus = (now: ProcessingStatus, event: RemediationEvent): ProcessingStatus | undefined =>
  TRANSITIONS[now][event];

/** Status of the finding while its remediation is in a state; null: the finding has no plan, and stands as if there were none. */
export const FINDING_STATUS_OF: Readonly<Record<ProcessingStatus, FindingStatus | null>> = {
  pending_input: 'pending_input',
  processing: null,
  ready: 'ready',
  pr_submitted: 'pr_submitted',
  issued: 'issued',
  applied: 'pr_accepted',
  failed: null,
  quota_exceeded: null,
};

/** What a screen calls a state. */
export const PROCESSING_LABELS: Readonly<Record<ProcessingStatus, string>> = {
  pending_input: msg('Needs input'),
  processing: msg('Being generated'),
  ready: msg('Ready to fix'),
  pr_submitted: msg('In review'),
  issued: msg('Issue opened'),
  applied: msg('Fix merged'),
  failed: msg('No fix'),
  quota_exceeded: msg('Quota used up'),
};
