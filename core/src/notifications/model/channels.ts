import { SEVERITIES, type Severity } from '@breakwater/sdk';
import type { NotificationType } from './notification-types.ts';

/** What an organisation wants to be told in one channel. */
export interface ChannelChoice {
  notification_types: readonly NotificationType[];
  /** Of notices with a severity only those of this or a higher one; null: all. */
  min_severity: Severity | null;
}

/** Of a channel that nobody has chosen anything for. */
export const NO_CHOICE: ChannelChoice = { notification_types: [], min_severity: null };

/** The least severities that a notice of `severity` passes: its own and all lower ones. */
export const passedSeverities = (severity: Severity): Severity[] => SEVERITIES.slice(SEVERITIES.indexOf(severity));

/** The worst of them; null where there is none. */
export const highestSeverity = (severities: readonly Severity[]): Severity | null =>
  SEVERITIES.find((severity) => severities.includes(severity)) ?? null;
