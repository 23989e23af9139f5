import { SEVERITIES } from '@breakwater/sdk';
import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Nullable, OneOf } from '../../platform/api/envelope.ts';
import { NOTIFICATION_TYPES } from '../model/notification-types.ts';

/** A channel of a service in which the organisation is told what happens. */
export const NotificationChannel = Type.Object({
  connector_id: Type.String(),
  title: Type.String(),
  /** Of its card in the catalogue: `webhook/slack`. */
  address: Type.String(),
  /** What people call the channel; null where it is not known. */
  name: Nullable(Type.String()),
  is_configured: Type.Boolean(),
  /** Why it cannot be used now; null where it can. */
  problem: Nullable(Type.String()),
  notification_types: Type.Array(OneOf(NOTIFICATION_TYPES)),
  /** Of notices with a severity only those of this or a higher one; null: all. */
  min_severity: Nullable(OneOf(SEVERITIES)),
  /** Messages that nobody sends any more, of the last month. */
  failed: Type.Object({ count: Type.Integer(), reason: Nullable(Type.String()) }),
});

const params = Type.Object({ connector_id: Type.String({ minLength: 1, maxLength: 60 }) });
const access = { permission: 'settings.write', tenant: true } as const;

export const listChannels = route({
  method: 'GET',
  path: '/client/notification-channels',
  tag: 'notifications',
  summary: 'Channels of services in which the organisation can be told what happens',
  access: { permission: 'settings.read', tenant: true },
  response: Type.Object({ data: Type.Array(NotificationChannel) }),
});

export const saveChannel = route({
  method: 'PUT',
  path: '/client/notification-channels/{connector_id}',
  tag: 'notifications',
  summary: 'Choose what a channel is told; what is left out stays',
  access,
  params,
  body: Type.Object(
    {
      notification_types: Type.Optional(Type.Array(OneOf(NOTIFICATION_TYPES), { maxItems: NOTIFICATION_TYPES.length })),
      min_severity: Type.Optional(Nullable(OneOf(SEVERITIES))),
    },
    { additionalProperties: false },
  ),
  response: Done,
  errors: ['connector_not_found'],
  audit: 'settings.changed',
});

export const testChannel = route({
  method: 'POST',
  path: '/client/notification-channels/{connector_id}/test',
  tag: 'notifications',
  summary: 'Send a test message to a channel now',
  // it waits for the service: no transaction is held meanwhile
  access: { permission: 'settings.write', tenant: false },
  params,
  response: Done,
  errors: ['connector_not_found', 'integration_not_configured', 'upstream_failed'],
  audit: 'settings.changed',
});

export const resendToChannel = route({
  method: 'POST',
  path: '/client/notification-channels/{connector_id}/resend',
  tag: 'notifications',
  summary: 'Send again what could not be sent to a channel',
  access,
  params,
  response: Action(Type.Object({ queued: Type.Integer() })),
  errors: ['connector_not_found'],
  audit: 'settings.changed',
});
