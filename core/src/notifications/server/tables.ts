import type { Severity } from '@breakwater/sdk';
import type { Generated, JSONColumnType } from 'kysely';
import type { Sentence } from '../../platform/model/sentence.ts';
import type { EmailChoice, NotificationStatus, NotificationType } from '../model/notification-types.ts';

/** Title and message as text and values. */
export interface SaidNotice {
  title: Sentence;
  message?: Sentence;
}

export interface NotificationsTable {
  client_id: string;
  id: Generated<string>;
  user_id: string;
  notification_type: NotificationType;
  title: string;
  message: Generated<string>;
  /** The same for a reader of any language; null where a person wrote it, and in rows of an earlier release. */
  said: JSONColumnType<SaidNotice> | null;
  link: string | null;
  status: Generated<NotificationStatus>;
  date: Generated<Date>;
  /** False: it waits for an e-mail alone. */
  is_shown: Generated<boolean>;
  /** It is part of the next e-mail with all of a day or of a week. */
  is_digest_due: Generated<boolean>;
  /** Of the two that of the week. */
  is_weekly: Generated<boolean>;
}

/** A person's choice for one type; without a row the default holds. */
export interface NotificationPreferencesTable {
  client_id: string;
  user_id: string;
  notification_type: NotificationType;
  in_app: boolean;
  email: EmailChoice;
}

/** What an organisation wants to be told in which channel. */
interface NotificationChannelsTable {
  client_id: string;
  connector_id: string;
  notification_types: NotificationType[];
  min_severity: Severity | null;
}

/** Outbox of channels. */
interface ChannelMessagesTable {
  client_id: string;
  id: Generated<string>;
  connector_id: string;
  /** Of the transaction and the text: one notice to several people is one message. */
  notice_key: string;
  notification_type: NotificationType;
  title: string;
  message: string;
  severity: Severity | null;
  /** Path inside the application. */
  link: string | null;
  status: Generated<'queued' | 'sent' | 'failed' | 'expired'>;
  attempts: Generated<number>;
  /** Attempts whose process ended before it wrote down what came of them. */
  interruptions: Generated<number>;
  claimed_until: Date | null;
  due_at: Generated<Date>;
  expires_at: Date;
  created_at: Generated<Date>;
  sent_at: Date | null;
  last_error: string | null;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    notifications: NotificationsTable;
    notification_preferences: NotificationPreferencesTable;
    notification_channels: NotificationChannelsTable;
    channel_messages: ChannelMessagesTable;
  }
}
