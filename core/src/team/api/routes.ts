import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { List, OneOf, pageQuery } from '../../platform/api/envelope.ts';
import { ROLES } from '../../platform/model/roles.ts';

export const Member = Type.Object({
  email: Type.String(),
  username: Type.String(),
  role: OneOf(ROLES),
  status: OneOf(['active', 'invited', 'disabled']),
});

export const listDevelopers = route({
  method: 'GET',
  path: '/users-developer',
  tag: 'team',
  summary: 'Developers of the organisation',
  access: { roles: ['admin', 'cyberoper', 'developer'], tenant: true },
  query: Type.Object(
    { ...pageQuery, search: Type.Optional(Type.String({ maxLength: 200 })) },
    { additionalProperties: false },
  ),
  response: List(Member),
});
