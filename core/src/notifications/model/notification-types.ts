import { msg } from '../../platform/model/message.ts';

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

/** How lists and settings name them. */
export const NOTIFICATION_LABELS: Record<NotificationType, string> = {
  scan_finished: msg('Scan finished'),
  scan_failed: msg('Scan failed'),
  critical_found: msg('Critical finding'),
  kev_match: msg('Known to be exploited'),
  finding_assigned: msg('Finding assigned'),
  review_requested: msg('Decision needed'),
  remediation_ready: msg('Remediation ready'),
  remediation_failed: msg('Remediation failed'),
  pr_opened: msg('Pull request opened'),
  pr_merged: msg('Pull request merged'),
  issue_opened: msg('Issue opened'),
  ticket_failed: msg('Ticket failed'),
  invite_accepted: msg('Invitation accepted'),
  token_expiring: msg('Token expiring'),
  sla_due: msg('Due date near'),
  plan_changed: msg('Plan changed'),
};

export const NOTIFICATION_STATUSES = ['unread', 'read'] as const;
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

/** When a notice is sent by e-mail as well. */
export const EMAIL_CHOICES = ['off', 'immediate', 'daily', 'weekly'] as const;
export type EmailChoice = (typeof EMAIL_CHOICES)[number];

/** Whether a notice waits for an e-mail with others. */
export const isDigest = (email: EmailChoice): boolean => email === 'daily' || email === 'weekly';

/** Where one kind of notice reaches a person. */
export interface Channels {
  in_app: boolean;
  email: EmailChoice;
}

/** Of who has chosen nothing: every notice is in the application, none is mailed. */
export const DEFAULT_CHANNELS: Channels = { in_app: true, email: 'off' };

const PATH_START = /^\/(?![/\\])/;
const CONTROL_OR_BACKSLASH = /[\p{Cc}\\]/u;

/** Whether a link stays inside the application, however a browser reads it. */
export const isInnerLink = (link: string): boolean => PATH_START.test(link) && !CONTROL_OR_BACKSLASH.test(link);
