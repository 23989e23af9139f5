import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { List, Nullable, OneOf, pageQuery } from '../../platform/api/envelope.ts';
import { ROLES } from '../../platform/model/permissions.ts';

const Member = Type.Object({
  /** Null for callers who are developers: they see names only. */
  email: Nullable(Type.String()),
  /** Empty while the person is invited. */
  username: Type.String(),
  role: OneOf(ROLES),
  status: OneOf(['active', 'invited', 'disabled']),
});

export const peopleQuery = Type.Object(
  { ...pageQuery, search: Type.Optional(Type.String({ maxLength: 200 })) },
  { additionalProperties: false },
);

export const listDevelopers = route({
  method: 'GET',
  path: '/users-developer',
  tag: 'team',
  summary: 'Developers of the organisation',
  access: { permission: 'team.read', tenant: true },
  query: peopleQuery,
  response: List(Member),
});

/** Ours. */
export const listMembers = route({
  method: 'GET',
  path: '/members',
  tag: 'team',
  summary: 'Everybody of the organisation who may own findings and repositories',
  access: { permission: 'team.read', tenant: true },
  query: peopleQuery,
  response: List(Member),
});
