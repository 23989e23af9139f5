import { sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import { say } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Db } from '../../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import * as routes from '../../api/channel-routes.ts';
import { type ChannelChoice, NO_CHOICE } from '../../model/channels.ts';
import { NOTIFICATION_TYPES, type NotificationType } from '../../model/notification-types.ts';
import type { Channel } from './channel-port.ts';
import type { ChannelDeps } from './send-messages.ts';
import '../tables.ts';

/** What was chosen, by connector. Reads notification_channels by primary key. */
const readChoices = async (db: Db, clientId: string): Promise<Map<string, ChannelChoice>> => {
  const rows = await db
    .selectFrom('notification_channels')
    .select(['connector_id', 'notification_types', 'min_severity'])
    .where('client_id', '=', clientId)
    .execute();
  return new Map(rows.map(({ connector_id, ...choice }) => [connector_id, choice]));
};

/** Messages that nobody sends any more, by connector, with the reason of the last one. Index: channel_messages_failed. */
const readFailures = async (db: Db, clientId: string) => {
  const rows = await db
    .selectFrom('channel_messages')
    .distinctOn('connector_id')
    .select((of) => [
      'connector_id',
      'last_error as reason',
      of.fn
        .countAll<number>()
        .over((over) => over.partitionBy('connector_id'))
        .as('count'),
    ])
    .where('client_id', '=', clientId)
    .where('status', '=', 'failed')
    .orderBy('connector_id')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ connector_id, count, reason }) => [connector_id, { count, reason }]));
};

const itemOf = ({ connectorId, title, address, name, isConfigured, problem }: Channel, choice: ChannelChoice) => ({
  connector_id: connectorId,
  title,
  address,
  name,
  is_configured: isConfigured,
  problem,
  notification_types: NOTIFICATION_TYPES.filter((type) => choice.notification_types.includes(type)),
  min_severity: choice.min_severity,
});

const readChannels = async (db: Db, { channels }: ChannelDeps, clientId: string) => {
  const choices = await readChoices(db, clientId);
  const failures = await readFailures(db, clientId);
  return (await channels.list(db, clientId)).map((channel) => ({
    ...itemOf(channel, choices.get(channel.connectorId) ?? NO_CHOICE),
    failed: failures.get(channel.connectorId) ?? { count: 0, reason: null },
  }));
};

/** What is left out stays: of two changes at once both stand. */
const writeChoice = (
  db: Db,
  { clientId, connectorId }: { clientId: string; connectorId: string },
  change: { notification_types?: NotificationType[]; min_severity?: ChannelChoice['min_severity'] },
) =>
  db
    .insertInto('notification_channels')
    .values({
      client_id: clientId,
      connector_id: connectorId,
      ...{ notification_types: [], min_severity: null },
      ...change,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'connector_id'])
        .doUpdateSet((of) =>
          Object.keys(change).length === 0 ? { connector_id: of.ref('notification_channels.connector_id') } : change,
        ),
    )
    .execute();

/** What a person sends to see whether it arrives. */
const testMessage = (username: string, origin: string | undefined) => ({
  idempotencyKey: crypto.randomUUID(),
  title: 'This is a test by Breakwater',
  text: sayEnglish('{username} sent it. Notifications that are chosen for this channel will look like this.', {
    username,
  }),
  kind: 'Test',
  severity: null,
  link: origin === undefined ? null : { label: 'Open in Breakwater', url: `${origin}/settings/notifications` },
});

/** Channels of the organisation. */
export const createChannelEndpoints = (deps: ChannelDeps): Endpoint[] => [
  tenantEndpoint(routes.listChannels)(async ({ db, caller }) => ({
    data: await readChannels(db, deps, caller.clientId),
  })),
  tenantEndpoint(routes.saveChannel)(async ({ db, caller, params, body }) => {
    const { connector_id: connectorId } = params;
    await deps.channels.find(db, { clientId: caller.clientId, connectorId });
    const { notification_types, ...others } = body;
    const types = notification_types === undefined ? {} : { notification_types: [...new Set(notification_types)] };
    await writeChoice(db, { clientId: caller.clientId, connectorId }, { ...others, ...types });
    return { success: true };
  }),
  callerEndpoint(routes.testChannel)(async ({ caller, params }) => {
    const { connector_id: connectorId } = params;
    const { clientId, username } = caller;
    const channel = { clientId, connectorId };
    const { title } = await deps.database.forClient(clientId, (db) => deps.channels.find(db, channel));
    const result = await deps.channels.send(channel, testMessage(username, deps.publicOrigin));
    if (result.outcome === 'gone')
      throw new AppError('integration_not_configured', say('{title} is not connected yet.', { title }));
    if (result.outcome !== 'sent') throw new AppError('upstream_failed', result.reason);
    return { success: true };
  }),
  tenantEndpoint(routes.resendToChannel)(async ({ db, caller, params, audit }) => {
    await deps.channels.find(db, { clientId: caller.clientId, connectorId: params.connector_id });
    const rows = await db
      .updateTable('channel_messages')
      .set({
        status: 'queued',
        attempts: 0,
        interruptions: 0,
        due_at: sql`clock_timestamp()`,
        expires_at: sql`clock_timestamp() + interval '1 day'`,
      })
      .where('client_id', '=', caller.clientId)
      .where('connector_id', '=', params.connector_id)
      .where('status', '=', 'failed')
      .returning('id')
      .execute();
    audit({ isUnchanged: rows.length === 0, details: { messages: rows.length } });
    return { success: true, data: { queued: rows.length } };
  }),
];
