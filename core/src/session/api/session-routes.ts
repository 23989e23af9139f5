import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, Item, Nullable, Timestamp } from '../../platform/api/envelope.ts';

const access = { permission: 'account.use', tenant: true } as const;

export const OpenSession = Type.Object({
  /** `Firefox 132 on Windows`; null where the program does not say. */
  device: Nullable(Type.String()),
  /** Of the network, when it was opened. */
  address: Nullable(Type.String()),
  /** When it was opened. */
  since: Timestamp,
  /** To the minute. */
  last_seen: Timestamp,
  /** The one that asks. */
  is_current: Type.Boolean(),
});

/** Ours: where the caller is signed in. */
export const listSessions = route({
  method: 'GET',
  path: '/user/sessions',
  tag: 'session',
  summary: 'Sessions of the caller that are open, this one first, then the last used',
  access,
  response: Type.Object({ data: Type.Array(Item(OpenSession)) }),
});

export const revokeSession = route({
  method: 'DELETE',
  path: '/user/sessions/{id}',
  tag: 'session',
  summary: 'End one session of the caller',
  access,
  audit: 'sign-in.revoked',
  params: Type.Object({ id: Id }),
  response: Done,
  errors: ['not_found'],
});

export const revokeOtherSessions = route({
  method: 'DELETE',
  path: '/user/sessions',
  tag: 'session',
  summary: 'End every session of the caller but this one',
  access,
  audit: 'sign-in.revoked',
  response: Action(Type.Object({ ended: Type.Integer() })),
});
