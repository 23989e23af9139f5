/** What can happen to a finding. `first_seen` is told by its own row, the others are written down. */
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
