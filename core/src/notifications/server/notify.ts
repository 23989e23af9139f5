import type { Role } from '../../platform/model/roles.ts';
import type { Db } from '../../platform/server/database.ts';
import { publish } from '../../platform/server/events.ts';
import type { NotificationType } from '../model/notification-types.ts';
import './tables.ts';

export interface Notice {
  clientId: string;
  type: NotificationType;
  title: string;
  message?: string;
  /** Path inside the application, such as `/findings`. */
  link?: string;
  /** Who is told: named users, or all active users of the roles. */
  to: { userIds: readonly string[] } | { roles: readonly Role[] };
}

/** Active users that the notice is for. Unknown ids and those of other clients fall away. */
const recipients = async (db: Db, notice: Notice): Promise<string[]> => {
  const active = db
    .selectFrom('users')
    .select('id')
    .where('client_id', '=', notice.clientId)
    .where('status', '=', 'active');
  const wanted =
    'roles' in notice.to
      ? active.where('role', 'in', [...notice.to.roles])
      : active.where('id', 'in', [...notice.to.userIds]);
  return (await wanted.execute()).map((user) => user.id);
};

/** Leaves a notice for each recipient and tells open browsers, once the surrounding transaction commits. @returns how many were told. */
export const notify = async (db: Db, notice: Notice): Promise<number> => {
  const isForNobody = 'roles' in notice.to ? notice.to.roles.length === 0 : notice.to.userIds.length === 0;
  const userIds = isForNobody ? [] : await recipients(db, notice);
  if (userIds.length === 0) return 0;
  await db
    .insertInto('notifications')
    .values(
      userIds.map((userId) => ({
        client_id: notice.clientId,
        user_id: userId,
        notification_type: notice.type,
        title: notice.title,
        message: notice.message ?? '',
        link: notice.link ?? null,
      })),
    )
    .execute();
  await publish(db, {
    clientId: notice.clientId,
    type: 'notification.created',
    data: { notification_type: notice.type, title: notice.title },
  });
  return userIds.length;
};
