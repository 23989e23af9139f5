import type { Generated } from 'kysely';
import type { NotificationType } from '../model/notification-types.ts';

export interface NotificationsTable {
  client_id: string;
  id: Generated<string>;
  user_id: string;
  notification_type: NotificationType;
  title: string;
  message: Generated<string>;
  link: string | null;
  status: Generated<'unread' | 'read'>;
  date: Generated<Date>;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    notifications: NotificationsTable;
  }
}
