import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Id } from '../../platform/api/envelope.ts';
import { Locale, SessionData } from './routes.ts';

/** What people change of their own; what is left out stays. */
export const ProfileChange = Type.Object(
  { username: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })), ...Type.Partial(Locale).properties },
  { additionalProperties: false, minProperties: 1 },
);

export const updateProfile = route({
  method: 'PUT',
  path: '/user/profile',
  tag: 'session',
  summary: "Change the caller's own name, language, time zone or number format",
  access: { permission: 'account.use', tenant: false },
  audit: 'account.changed',
  body: ProfileChange,
  response: Action(Type.Object({ ...SessionData.properties.user.properties, locale: Locale })),
  errors: ['validation_failed'],
});

/** Source: specification §7 "Avatar: HEAD to a public avatar service by hash, falling back on 404", §9 "Avatar size 200". */
export const getAvatar = route({
  method: 'GET',
  path: '/users/{id}/avatar',
  tag: 'session',
  summary: 'Picture of a member of the organisation, as the avatar service has it; 404 where there is none',
  access: { permission: 'account.use', tenant: false },
  params: Type.Object({ id: Id }),
  response: Type.String(),
  responseKind: 'file',
  errors: ['not_found'],
});
