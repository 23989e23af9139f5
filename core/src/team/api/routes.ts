import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { List, Nullable, OneOf, pageQuery } from '../../platform/api/envelope.ts';
import { ROLES } from '../../platform/model/permissions.ts';

export const Member = Type.Object({
  /** Null for callers who are developers: they see names only. */
  email: Nullable(Type.String()),
  username: Type.String(),
  role: OneOf(ROLES),
  status: OneOf(['active', 'invited', 'disabled']),
});

export const listDevelopers = route({
  method: 'GET',
  path: '/users-developer',
  tag: 'team',
  summary: 'Developers of the organisation',
  access: { permission: 'team.read', tenant: true },
  query: Type.Object(
    { ...pageQuery, search: Type.Optional(Type.String({ maxLength: 200 })) },
    { additionalProperties: false },
  ),
  response: List(Member),
});
