import { eventKind } from '../../platform/ui/data/live-events.ts';

/** Everything after which the notifications of this person may differ. */
export const NOTIFICATION_EVENTS = ['notification.created', 'notification.changed'].map((type) =>
  eventKind<Record<string, unknown>>(type),
);
