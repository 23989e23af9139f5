/** What a person is told about. Source: decisions.md "States". */
export const NOTIFICATION_TYPES = [
  'scan_finished',
  'scan_failed',
  'critical_found',
  'kev_match',
  'finding_assigned',
  'review_requested',
  'remediation_ready',
  'remediation_failed',
  'pr_opened',
  'pr_merged',
  'issue_opened',
  'ticket_failed',
  'invite_accepted',
  'token_expiring',
  'sla_due',
  'plan_changed',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];
