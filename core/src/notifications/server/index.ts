import type { Endpoint } from '../../platform/server/endpoint.ts';
import { createChannelEndpoints } from './channels/channel-endpoints.ts';
import { type ChannelDeps, sendToChannels } from './channels/send-messages.ts';
import { sendDailyDigests, sendWeeklyDigests } from './digest.ts';
import { notificationEndpoints } from './notification-endpoints.ts';
import { preferenceEndpoints } from './preferences.ts';

export { highestSeverity } from '../model/channels.ts';
export type { Channels, SendResult } from './channels/channel-port.ts';
export type { ChannelDeps } from './channels/send-messages.ts';
export { type Notice, notify } from './notify.ts';
export { notificationPersonalData } from './personal-data.ts';

/** Notices to people. */
export const createNotificationEndpoints = (deps: ChannelDeps): Endpoint[] => [
  ...notificationEndpoints,
  ...preferenceEndpoints,
  ...createChannelEndpoints(deps),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const notificationJobs = [sendDailyDigests, sendWeeklyDigests, sendToChannels] as const;
