import type { Endpoint } from '../../platform/server/endpoint.ts';
import { notificationEndpoints } from './notification-endpoints.ts';
import { preferenceEndpoints } from './preferences.ts';

export { type Notice, notify } from './notify.ts';

/** Notices to people. */
export const createNotificationEndpoints = (): Endpoint[] => [...notificationEndpoints, ...preferenceEndpoints];
