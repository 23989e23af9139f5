import { createHash } from 'node:crypto';
import type { Severity } from '@breakwater/sdk';
import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { passedSeverities } from '../../model/channels.ts';
import { isInnerLink, type NotificationType } from '../../model/notification-types.ts';
import '../tables.ts';

/** What channels are told; plain text. */
export interface ChannelNotice {
  clientId: string;
  type: NotificationType;
  title: string;
  message: string;
  severity: Severity | null;
  link: string | undefined;
}

/** Security news that is older tells nobody anything. */
const LIFE_HOURS = 24;
const MAX_TITLE = 200;
const MAX_MESSAGE = 2000;

/** One line; PostgreSQL stores no NUL. */
const line = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
const cut = (text: string, length: number): string => [...text].slice(0, length).join('');

/**
 * Writes a message for each channel that wants it, in the caller's transaction. The same notice again in one transaction, to somebody else, adds
 * none. Index: primary key of notification_channels.
 */
export const queueChannelMessages = async (db: Db, notice: ChannelNotice): Promise<void> => {
  const { clientId, type, severity } = notice;
  const title = cut(line(notice.title), MAX_TITLE);
  const message = cut(notice.message.replaceAll('\0', ''), MAX_MESSAGE);
  const link = notice.link !== undefined && isInnerLink(notice.link) ? notice.link : null;
  const key = createHash('sha256')
    .update(JSON.stringify([type, title, message, link]))
    .digest('base64url');
  const passed = severity === null ? null : passedSeverities(severity);
  await sql`
    insert into channel_messages (client_id, connector_id, notice_key, notification_type, title, message, severity, link, expires_at)
    select client_id, connector_id, pg_current_xact_id()::text || ':' || ${key}, ${type}, ${title}, ${message}, ${severity}::text, ${link}::text,
      now() + make_interval(hours => ${LIFE_HOURS})
    from notification_channels
    where client_id = ${clientId} and ${type} = any (notification_types)
      and (min_severity is null or ${passed}::text[] is null or min_severity = any (${passed}::text[]))
    on conflict (client_id, connector_id, notice_key) do nothing`.execute(db);
};
