import type { Endpoint } from '../../platform/server/endpoint.ts';
import { sendDailyDigests, sendWeeklyDigests } from './digest.ts';
import { notificationEndpoints } from './notification-endpoints.ts';
import { preferenceEndpoints } from './preferences.ts';

export { type Notice, notify } from './notify.ts';

/** Notices to people. */
export const createNotificationEndpoints = (): Endpoint[] => [...notificationEndpoints, ...preferenceEndpoints];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const notificationJobs = [sendDailyDigests, sendWeeklyDigests] as const;
