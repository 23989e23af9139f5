import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, Item, List, Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { ROLES } from '../../platform/model/permissions.ts';
import { INVITED_ROLES } from '../model/roles.ts';
import { peopleQuery } from './people-routes.ts';

export const TeamMember = Type.Object({
  email: Type.String(),
  username: Type.String(),
  role: OneOf(ROLES),
  status: OneOf(['active', 'invited']),
  /** Whether a second factor is asked for. */
  enable_2fa: Type.Boolean(),
  /** When an invitation ends; null for a member. */
  expires_at: Nullable(Timestamp),
});

const access = { permission: 'team.manage', tenant: true } as const;

export const listTeam = route({
  method: 'GET',
  path: '/team',
  tag: 'team',
  summary: 'Members of the organisation, and who is invited',
  access,
  query: peopleQuery,
  response: List(TeamMember),
});

const Role = OneOf(INVITED_ROLES);

const Invitation = Type.Object({
  ...Item(TeamMember).properties,
  /** Path that opens the invitation, once; null where it was sent by mail. */
  link: Nullable(Type.String()),
});

const invitation = {
  method: 'POST',
  tag: 'team',
  summary: 'Invite a person by e-mail and role; a second invitation takes the place of the first',
  access,
  audit: 'team.invited',
  body: Type.Object(
    { email: Type.String({ format: 'email', maxLength: 254 }), role: Role },
    { additionalProperties: false },
  ),
  status: 201,
  response: Action(Invitation),
  errors: ['forbidden', 'conflict', 'too_many_requests'],
} as const;

export const invite = route({ ...invitation, path: '/team' });
/** The same by the other path of specification §7. */
export const inviteUser = route({ ...invitation, path: '/users-developer' });

const params = Type.Object({ id: Id });

export const changeMember = route({
  method: 'PUT',
  path: '/team/{id}',
  tag: 'team',
  summary: 'Give a member or an invitation another role; sessions of the member end',
  access,
  audit: 'team.changed',
  params,
  body: Type.Object({ role: Role }, { additionalProperties: false }),
  response: Done,
  errors: ['user_not_found', 'conflict', 'forbidden'],
});

export const removeMember = route({
  method: 'DELETE',
  path: '/team/{id}',
  tag: 'team',
  summary: 'Remove a member, whose findings and repositories go to another one, or withdraw an invitation',
  access,
  audit: 'team.removed',
  params,
  query: Type.Object(
    { hand_over_to: Type.Optional(Type.String({ format: 'uuid', description: 'Nobody owns them without it' })) },
    { additionalProperties: false },
  ),
  response: Done,
  errors: ['user_not_found', 'conflict', 'forbidden', 'validation_failed'],
});

/** Ours. */
export const endSessions = route({
  method: 'DELETE',
  path: '/team/{id}/sessions',
  tag: 'team',
  summary: 'End every session of a member',
  access,
  audit: 'sign-in.revoked',
  params,
  response: Done,
  errors: ['user_not_found', 'forbidden'],
});

/** Ours. */
export const resetMemberTwoFactor = route({
  method: 'POST',
  path: '/team/{id}/reset-2fa',
  tag: 'team',
  summary:
    'Switch two-factor off for a member who has lost device and recovery codes; their sessions end, and they are told by mail',
  access,
  audit: 'account.two-factor-disabled',
  params,
  response: Done,
  errors: ['user_not_found', 'conflict'],
});

const tokenParams = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) });

export const InvitationOffer = Type.Object({
  email: Type.String(),
  role: OneOf(ROLES),
  organization_name: Type.String(),
});

/** Ours: what the page of an invitation shows. */
export const getInvitation = route({
  method: 'GET',
  path: '/accept-verification/{token}',
  tag: 'team',
  summary: 'Who is invited, and to which organisation',
  access: { public: true },
  params: tokenParams,
  response: Type.Object({ data: InvitationOffer }),
  errors: ['invitation_not_found'],
});

const Password = Type.String({ minLength: 1, maxLength: 256 });

export const acceptInvitation = route({
  method: 'POST',
  path: '/accept-verification/{token}',
  tag: 'team',
  summary: 'Accept an invitation: makes the account, once',
  access: { public: true },
  params: tokenParams,
  body: Type.Object(
    { username: Type.String({ minLength: 1, maxLength: 100 }), password: Password, confirm_password: Password },
    { additionalProperties: false },
  ),
  response: Action(Type.Object({ email: Type.String() })),
  errors: ['invitation_not_found', 'conflict', 'validation_failed'],
});
