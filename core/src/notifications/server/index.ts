import type { Generated } from 'kysely';
import { type Permission, rolesWith } from '../../platform/model/permissions.ts';
import { visibleText } from '../../platform/model/visible-text.ts';
import type { Db } from '../../platform/server/database.ts';
import { publish } from '../../platform/server/events.ts';
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

export interface Notice {
  clientId: string;
  type: NotificationType;
  title: string;
  message?: string;
  /** Path inside the application, such as `/findings`. */
  link?: string;
  /** Who is told: named users, or all active users with the permission. */
  to: { userIds: readonly string[] } | { permission: Permission };
}

/** Active users that the notice is for. Unknown ids and those of other clients fall away. */
const recipients = async (db: Db, notice: Notice): Promise<string[]> => {
  const active = db
    .selectFrom('users')
    .select('id')
    .where('client_id', '=', notice.clientId)
    .where('status', '=', 'active');
  const wanted =
    'permission' in notice.to
      ? active.where('role', 'in', rolesWith(notice.to.permission))
      : active.where('id', 'in', [...notice.to.userIds]);
  return (await wanted.execute()).map((user) => user.id);
};

/** Leaves a notice for each recipient and tells open browsers, once the surrounding transaction commits. @returns how many were told. */
export const notify = async (db: Db, notice: Notice): Promise<number> => {
  const isForNobody = 'userIds' in notice.to && notice.to.userIds.length === 0;
  const userIds = isForNobody ? [] : await recipients(db, notice);
  if (userIds.length === 0) return 0;
  // names from reports and repositories stand in the sentence: none may turn its direction
  const [title, message] = [visibleText(notice.title), visibleText(notice.message ?? '')];
  await db
    .insertInto('notifications')
    .values(
      userIds.map((userId) => ({
        client_id: notice.clientId,
        user_id: userId,
        notification_type: notice.type,
        title,
        message,
        link: notice.link ?? null,
      })),
    )
    .execute();
  await publish(db, {
    clientId: notice.clientId,
    type: 'notification.created',
    data: { notification_type: notice.type, title },
    audience: 'permission' in notice.to ? { permission: notice.to.permission } : { userIds },
  });
  return userIds.length;
};
