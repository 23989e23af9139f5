/** Work status of a finding. Source: decisions.md "States". */
export const FINDING_STATUSES = [
  'enriched',
  'pending_input',
  'ready',
  'pr_submitted',
  'issued',
  'pr_accepted',
  'mitigated',
  'reopened',
] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

/** Words of the work status. `enriched` is the state in which a finding waits for somebody: open. */
export const STATUS_WORDS: Readonly<Record<FindingStatus, string>> = {
  enriched: 'Open',
  pending_input: 'Needs input',
  ready: 'Ready to fix',
  pr_submitted: 'Pull request open',
  issued: 'Issue open',
  pr_accepted: 'Fix merged',
  mitigated: 'Fixed',
  reopened: 'Reopened',
};

/** Every status but the end state. */
export const OPEN_STATUSES = FINDING_STATUSES.filter((status) => status !== 'mitigated');

/** What a person or the tool decided about a finding; an axis of its own beside the status. */
export const VERDICTS = [
  'none',
  'valid',
  'false_positive',
  'accepted_risk',
  'duplicate',
  'mitigated_externally',
] as const;
export type Verdict = (typeof VERDICTS)[number];

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  none: 'No verdict',
  valid: 'Valid',
  false_positive: 'False positive',
  accepted_risk: 'Accepted risk',
  duplicate: 'Duplicate',
  mitigated_externally: 'Mitigated elsewhere',
};

/** Three-way switch of a group of findings in a list. */
export const VISIBILITIES = ['hide', 'show', 'only'] as const;
export type Visibility = (typeof VISIBILITIES)[number];
