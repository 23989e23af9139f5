import { setTimeout as sleep } from 'node:timers/promises';
import type { Severity } from '@breakwater/sdk';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { msg } from '../../../platform/model/message.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import { NOTIFICATION_LABELS, type NotificationType } from '../../model/notification-types.ts';
import type { Channels, SendResult } from './channel-port.ts';
import '../tables.ts';

/** Waits after failed attempts, in seconds; then the message is dead until somebody sends it again. */
const RETRY_SECONDS = [30, 120, 600, 3600, 14_400];
/** Before a message that the connection stands in the way of is tried again. */
const WAIT_SECONDS = 60;
/** While a message is being sent no other process takes it; longer than any attempt. */
const LEASE_SECONDS = 120;
/** Services take about one message a second and channel. */
const PAUSE_MS = 1000;
const MAX_OF_CHANNEL = 20;
const MAX_CHANNELS = 100;
const AT_ONCE = 5;
const KEPT_DAYS = 30;

export interface ChannelDeps {
  database: DatabaseHandle;
  channels: Channels;
  /** Address of the installation as people reach it; nothing: messages have no links. */
  publicOrigin: string | undefined;
}

interface ChannelKey {
  client_id: string;
  connector_id: string;
}

interface Claimed {
  id: string;
  notification_type: NotificationType;
  title: string;
  message: string;
  severity: Severity | null;
  link: string | null;
  attempts: number;
  interruptions: number;
}

/** Channels with something to send. Index: channel_messages_due. */
const findDue = (db: Db): Promise<ChannelKey[]> =>
  db
    .selectFrom('channel_messages')
    .select(['client_id', 'connector_id'])
    .distinct()
    .where('status', '=', 'queued')
    .where('due_at', '<=', sql<Date>`clock_timestamp()`)
    .limit(MAX_CHANNELS)
    .execute();

/** Takes the oldest that is due. An attempt that was cut short left its claim behind, and may have arrived. */
const claim = async (db: Db, { client_id, connector_id }: ChannelKey): Promise<Claimed | undefined> => {
  const { rows } = await sql<Claimed>`
    update channel_messages set attempts = attempts + 1,
      interruptions = interruptions + (claimed_until is not null)::integer,
      claimed_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
      due_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where client_id = ${client_id} and id = (
      select id from channel_messages
      where client_id = ${client_id} and connector_id = ${connector_id} and status = 'queued'
        and due_at <= clock_timestamp() and expires_at > clock_timestamp()
      order by id limit 1 for update skip locked)
    returning id, notification_type, title, message, severity, link, attempts, interruptions`.execute(db);
  return rows[0];
};

type End = { status: 'sent' | 'failed' | 'queued'; reason: string | null; afterSeconds: number; isAttempt: boolean };

const endOf = (result: Exclude<SendResult, { outcome: 'gone' }>, attempts: number): End => {
  if (result.outcome === 'sent') return { status: 'sent', reason: null, afterSeconds: 0, isAttempt: true };
  const { reason } = result;
  if (result.outcome === 'refused') return { status: 'failed', reason, afterSeconds: 0, isAttempt: true };
  const asked = Math.ceil((result.afterMs ?? 0) / 1000);
  if (!result.isAttempt) {
    return { status: 'queued', reason, afterSeconds: Math.max(asked, WAIT_SECONDS), isAttempt: false };
  }
  const seconds = RETRY_SECONDS[attempts - 1];
  if (seconds === undefined) return { status: 'failed', reason, afterSeconds: 0, isAttempt: true };
  return { status: 'queued', reason, afterSeconds: Math.max(asked, seconds), isAttempt: true };
};

/** Writes down what came of an attempt; a late answer of a process that lost its claim says nothing new. */
const settle = async (db: Db, { client_id }: ChannelKey, claimed: Claimed, result: SendResult): Promise<void> => {
  const mine = sql`client_id = ${client_id} and id = ${claimed.id} and status = 'queued' and attempts = ${claimed.attempts}`;
  if (result.outcome === 'gone') {
    await sql`delete from channel_messages where ${mine}`.execute(db);
    return;
  }
  const { status, reason, afterSeconds, isAttempt } = endOf(result, claimed.attempts);
  await sql`
    update channel_messages set status = ${status}, claimed_until = null, last_error = ${reason?.slice(0, 500) ?? null},
      attempts = attempts - ${isAttempt ? 0 : 1},
      due_at = clock_timestamp() + make_interval(secs => ${afterSeconds}),
      sent_at = case when ${status} = 'sent' then clock_timestamp() end
    where ${mine}`.execute(db);
};

/** Twice it may have arrived already: it is not sent a third time. */
const TWICE: SendResult = {
  outcome: 'refused',
  reason: msg('The server ended twice while this was being sent; it may have arrived.'),
};

const sendOne = async ({ channels, publicOrigin }: ChannelDeps, key: ChannelKey, one: Claimed): Promise<SendResult> => {
  if (one.interruptions > 1) return TWICE;
  const link = publicOrigin === undefined || one.link === null ? null : `${publicOrigin}${one.link}`;
  return channels.send(
    { clientId: key.client_id, connectorId: key.connector_id },
    {
      idempotencyKey: one.id,
      title: one.title,
      text: one.message,
      kind: NOTIFICATION_LABELS[one.notification_type],
      severity: one.severity,
      link: link === null ? null : { label: 'Open in Breakwater', url: link },
    },
  );
};

/** What is due for one channel, one after the other; the first that cannot be sent ends it until the next run. @returns how many arrived. */
const sendToChannel = async (deps: ChannelDeps, key: ChannelKey): Promise<number> => {
  const inClient = <T>(work: (db: Db) => Promise<T>): Promise<T> => deps.database.forClient(key.client_id, work);
  let sent = 0;
  for (let count = 0; count < MAX_OF_CHANNEL; count += 1) {
    const claimed = await inClient((db) => claim(db, key));
    if (claimed === undefined) break;
    if (sent > 0) await sleep(PAUSE_MS);
    const result = await sendOne(deps, key, claimed);
    await inClient((db) => settle(db, key, claimed, result));
    if (result.outcome === 'sent') sent += 1;
    else if (result.outcome === 'later') break;
  }
  return sent;
};

/** Messages whose time is over are not sent any more; after a month the rows go. Index: channel_messages_oldest. */
const expire = async (db: Db, clientId: string): Promise<void> => {
  await sql`
    update channel_messages set status = 'expired', claimed_until = null
    where client_id = ${clientId} and status = 'queued' and expires_at <= clock_timestamp()`.execute(db);
  await sql`
    delete from channel_messages
    where client_id = ${clientId} and created_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
};

/**
 * Sends what is due in all organisations; safe in several processes. A process killed between the service's answer and writing it down sends a
 * message twice, and never a third time. @returns how many arrived.
 */
export const sendChannelMessages = async (deps: ChannelDeps): Promise<number> => {
  const due = await deps.database.forIdentity(findDue);
  for (const clientId of new Set(due.map(({ client_id }) => client_id))) {
    await deps.database.forClient(clientId, (db) => expire(db, clientId));
  }
  const waiting = [...due];
  let sent = 0;
  const work = async (): Promise<void> => {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) sent += await sendToChannel(deps, key);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return sent;
};

export const sendToChannels = defineJob({
  name: 'notifications.send-to-channels',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 5 },
  run: ({ notificationChannels }: { notificationChannels: ChannelDeps }) => sendChannelMessages(notificationChannels),
});
