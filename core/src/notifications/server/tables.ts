import type { Generated } from 'kysely';
import type { EmailChoice, NotificationStatus, NotificationType } from '../model/notification-types.ts';

export interface NotificationsTable {
  client_id: string;
  id: Generated<string>;
  user_id: string;
  notification_type: NotificationType;
  title: string;
  message: Generated<string>;
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

declare module '../../platform/server/database.ts' {
  interface Database {
    notifications: NotificationsTable;
    notification_preferences: NotificationPreferencesTable;
  }
}
