import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import type { Db } from '../../platform/server/database.ts';
import { type Caller, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import * as routes from '../api/routes.ts';
import { isInnerLink, type NotificationStatus, type NotificationType } from '../model/notification-types.ts';
import { notify, publishChange } from './notify.ts';
import type { NotificationsTable, SaidNotice } from './tables.ts';

interface ListFilter {
  status: NotificationStatus | 'all';
  types: readonly NotificationType[];
}

/** Notifications that a person sees. Index: notifications_of_user. */
const ownOf = (db: Db, { clientId, userId }: Caller, { status, types }: ListFilter) => {
  const own = db
    .selectFrom('notifications')
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .where('is_shown', '=', true);
  const inStatus = status === 'all' ? own : own.where('status', '=', status);
  return types.length === 0 ? inStatus : inStatus.where('notification_type', 'in', [...types]);
};

const COLUMNS = ['id', 'notification_type', 'title', 'message', 'said', 'link', 'status', 'date'] as const;

type Row = Pick<NotificationsTable, 'notification_type' | 'title' | 'link'> & {
  id: string;
  message: string;
  said: SaidNotice | null;
  status: NotificationStatus;
  date: Date;
};

const itemOf = ({ id, date, said, ...others }: Row) => ({
  _id: id,
  attributes: { ...others, ...(said === null ? {} : { said }), date: date.toISOString() },
});

/** Only what was asked for. */
const pick = (attributes: ReturnType<typeof itemOf>['attributes'], fields: readonly string[] | undefined) =>
  fields === undefined
    ? attributes
    : Object.fromEntries(Object.entries(attributes).filter(([name]) => fields.includes(name)));

const list = tenantEndpoint(routes.listNotifications)(async ({ db, caller, query }) => {
  const paging = readPaging(query.pagination_active === 'false' ? { pagination: 'false' } : query);
  const filter: ListFilter = { status: query.status ?? 'unread', types: query.notification_type ?? [] };
  const { total } = await ownOf(db, caller, filter)
    .select((of) => of.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const order = query.sort ?? 'asc';
  const rows = ownOf(db, caller, filter).select([...COLUMNS]);
  const sorted = query.sort_field === 'date' ? rows.orderBy('date', order) : rows;
  const page = await sorted.orderBy('id', order).limit(paging.pageSize).offset(paging.offset).execute();
  const data = page.map(itemOf).map(({ _id, attributes }) => ({ _id, attributes: pick(attributes, query.fields) }));
  return { data, meta: pageMeta(total, paging) };
});

const create = tenantEndpoint(routes.createNotification)(async ({ db, caller, body }) => {
  const { user_id, notification_type, title, message, link } = body;
  if (link !== undefined && !isInnerLink(link)) {
    const text = msg('Give a path inside the application, such as /findings.');
    throw new AppError('validation_failed', undefined, {
      issues: [{ loc: ['body', 'link'], msg: text, type: 'link' }],
    });
  }
  const reached = await notify(db, {
    clientId: caller.clientId,
    type: notification_type,
    title,
    ...(message === undefined ? {} : { message }),
    ...(link === undefined ? {} : { link }),
    to: { userIds: [user_id] },
  });
  if (reached === 0) throw new AppError('user_not_found');
  return { success: true };
});

const update = tenantEndpoint(routes.updateNotification)(async ({ db, caller, params, body }) => {
  const row = await db
    .updateTable('notifications')
    .set({ status: body.status })
    .where('client_id', '=', caller.clientId)
    .where('id', '=', params.id)
    .where('user_id', '=', caller.userId)
    .where('is_shown', '=', true)
    .returning([...COLUMNS])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('notification_not_found');
  await publishChange(db, caller);
  return { success: true, data: itemOf(row) };
});

const updateAll = tenantEndpoint(routes.updateAllNotifications)(async ({ db, caller, body }) => {
  const unread = db
    .updateTable('notifications')
    .set({ status: body.status })
    .where('client_id', '=', caller.clientId)
    .where('user_id', '=', caller.userId)
    .where('is_shown', '=', true)
    .where('status', '=', 'unread');
  const types = body.notification_type ?? [];
  const changed = await (types.length === 0 ? unread : unread.where('notification_type', 'in', types))
    .returning('id')
    .execute();
  if (changed.length > 0) await publishChange(db, caller);
  return { success: true, data: { changed: changed.length } };
});

const remove = tenantEndpoint(routes.deleteNotification)(async ({ db, caller, params }) => {
  const row = await db
    .deleteFrom('notifications')
    .where('client_id', '=', caller.clientId)
    .where('id', '=', params.id)
    .where('user_id', '=', caller.userId)
    .where('is_shown', '=', true)
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('notification_not_found');
  await publishChange(db, caller);
  return { success: true };
});

/** What a person is told, and what they did with it. Everyone has their own alone. */
export const notificationEndpoints: readonly Endpoint[] = [list, create, update, updateAll, remove];
