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

/** What a model proposes about a finding; people decide. */
export const ASSESSED_VERDICTS = ['false_positive', 'valid', 'uncertain'] as const;
export type AssessedVerdict = (typeof ASSESSED_VERDICTS)[number];

/** Three-way switch of a group of findings in a list. */
export const VISIBILITIES = ['hide', 'show', 'only'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** How a finding is being fixed. Source: decisions.md "States". */
export const REMEDIATION_TYPES = ['pull_request', 'issue'] as const;
export type RemediationType = (typeof REMEDIATION_TYPES)[number];

/** The states in which a finding has a remediation of each type: its status says what was opened for it. */
export const STATUSES_OF_REMEDIATION: Readonly<Record<RemediationType, readonly FindingStatus[]>> = {
  pull_request: ['pr_submitted', 'pr_accepted'],
  issue: ['issued'],
};

/** What removes a finding: a newer version is known, none is known yet, or code or configuration has to change. */
export const MITIGATIONS = ['update', 'no_fix', 'change'] as const;

/**
 * How sure it is that a duplicate says the same as its original: one place and weakness or one name of a vulnerability
 * (certain), a close place and the same kind of weakness (likely), or somebody said so (person).
 */
export const CERTAINTIES = ['likely', 'certain', 'person'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** What can happen to a finding. `first_seen` is in its own row, the others have rows of their own. */
export const FINDING_EVENT_KINDS = [
  'first_seen',
  'verdict',
  'status',
  'severity',
  'owner',
  'tags',
  'notes',
  'assigned',
  'review_requested',
  'closed',
  'reopened',
  'moved',
  'priority',
  'split',
  'joined',
] as const;
export type FindingEventKind = (typeof FINDING_EVENT_KINDS)[number];
