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

/** Three-way switch of a group of findings in a list. */
export const VISIBILITIES = ['hide', 'show', 'only'] as const;
export type Visibility = (typeof VISIBILITIES)[number];
