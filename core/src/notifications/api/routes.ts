import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import {
  Action,
  Done,
  Id,
  List,
  Nullable,
  One,
  OneOf,
  pageQuery,
  SentenceShape,
  Timestamp,
} from '../../platform/api/envelope.ts';
import { EMAIL_CHOICES, NOTIFICATION_STATUSES, NOTIFICATION_TYPES } from '../model/notification-types.ts';

/** Source: decisions.md "Wire shapes". */
export const Notification = Type.Object({
  notification_type: OneOf(NOTIFICATION_TYPES),
  title: Type.String(),
  message: Type.String(),
  /** Title and message as text and values, for readers of other languages; not of what a person wrote. */
  said: Type.Optional(Type.Object({ title: SentenceShape, message: Type.Optional(SentenceShape) })),
  /** Path inside the application. */
  link: Nullable(Type.String()),
  status: OneOf(NOTIFICATION_STATUSES),
  date: Timestamp,
});

export const NOTIFICATION_FIELDS = ['notification_type', 'title', 'message', 'said', 'link', 'status', 'date'] as const;

const params = Type.Object({ id: Id });
const access = { permission: 'account.use', tenant: true } as const;
const types = Type.Array(OneOf(NOTIFICATION_TYPES), { maxItems: NOTIFICATION_TYPES.length });

export const listNotifications = route({
  method: 'GET',
  path: '/client/notifications',
  tag: 'notifications',
  summary: "The caller's own notifications: the unread ones unless `status` says otherwise",
  access,
  query: Type.Object(
    {
      ...pageQuery,
      /** `false`: all rows at once, at most 10,000. */
      pagination_active: Type.Optional(OneOf(['true', 'false'])),
      notification_type: Type.Optional(types),
      /** `all`: read and unread. */
      status: Type.Optional(OneOf([...NOTIFICATION_STATUSES, 'all'])),
      sort_field: Type.Optional(OneOf(['_id', 'date'])),
      sort: Type.Optional(OneOf(['asc', 'desc'])),
      /** Attributes that are wanted; all without it. */
      fields: Type.Optional(Type.Array(OneOf(NOTIFICATION_FIELDS), { maxItems: NOTIFICATION_FIELDS.length })),
    },
    { additionalProperties: false },
  ),
  response: List(Type.Partial(Notification)),
});

export const createNotification = route({
  method: 'POST',
  path: '/client/notifications',
  tag: 'notifications',
  summary: 'Write a notification for a person of the organisation',
  access: { permission: 'team.manage', tenant: true },
  body: Type.Object(
    {
      user_id: Id,
      notification_type: OneOf(NOTIFICATION_TYPES),
      title: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
      message: Type.Optional(Type.String({ maxLength: 2000 })),
      link: Type.Optional(Type.String({ maxLength: 2000, description: 'Path inside the application: `/findings`' })),
    },
    { additionalProperties: false },
  ),
  status: 201,
  response: Done,
  errors: ['user_not_found', 'validation_failed'],
});

const StatusChange = Type.Object({ status: OneOf(NOTIFICATION_STATUSES) }, { additionalProperties: false });

export const updateNotification = route({
  method: 'PUT',
  path: '/client/notifications/{id}',
  tag: 'notifications',
  summary: 'Mark a notification read or unread',
  access,
  params,
  body: StatusChange,
  response: Type.Object({ success: Type.Literal(true), ...One(Notification).properties }),
  errors: ['notification_not_found'],
});

export const updateAllNotifications = route({
  method: 'PUT',
  path: '/client/notifications',
  tag: 'notifications',
  summary: 'Mark all notifications read, or those of some types',
  access,
  body: Type.Object(
    { status: OneOf(['read']), notification_type: Type.Optional(types) },
    { additionalProperties: false },
  ),
  response: Action(Type.Object({ changed: Type.Integer() })),
});

export const deleteNotification = route({
  method: 'DELETE',
  path: '/client/notifications/{id}',
  tag: 'notifications',
  summary: 'Delete a notification',
  access,
  params,
  response: Done,
  errors: ['notification_not_found'],
});

export const Preference = Type.Object({
  notification_type: OneOf(NOTIFICATION_TYPES),
  in_app: Type.Boolean(),
  /** At once, with all others once a day or once a week, or not at all. */
  email: OneOf(EMAIL_CHOICES),
});

export const getPreferences = route({
  method: 'GET',
  path: '/client/notification-preferences',
  tag: 'notifications',
  summary: 'Where each kind of notification reaches the caller',
  access,
  response: Type.Object({ data: Type.Array(Preference) }),
});

export const savePreference = route({
  method: 'PUT',
  path: '/client/notification-preferences',
  tag: 'notifications',
  summary: 'Change where one kind of notification reaches the caller',
  access,
  body: Type.Object(
    {
      notification_type: OneOf(NOTIFICATION_TYPES),
      in_app: Type.Optional(Type.Boolean()),
      email: Type.Optional(OneOf(EMAIL_CHOICES)),
    },
    { additionalProperties: false },
  ),
  response: Action(Preference),
});
