import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done } from '../../platform/api/envelope.ts';
import { PROOF } from '../../platform/api/proof.ts';

const access = { permission: 'account.use', tenant: true } as const;
const strict = { additionalProperties: false } as const;

export const exportOwnData = route({
  method: 'GET',
  path: '/user/export',
  tag: 'accounts',
  summary: 'All that is kept about the caller, as one JSON file; without passwords, tokens and other secrets',
  access: { permission: 'account.use', tenant: false },
  audit: 'account.exported',
  response: Type.String(),
  responseKind: 'file',
});

export const Proofs = Type.Object({
  password: Type.Boolean(),
  two_factor: Type.Boolean(),
  /** Without a password: whether the sign-in is recent enough. */
  is_fresh: Type.Boolean(),
});

export const getProofs = route({
  method: 'GET',
  path: '/user/proofs',
  tag: 'accounts',
  summary: 'What the caller is asked for before something that cannot be undone',
  access,
  response: Action(Proofs),
});

export const deleteOwnAccount = route({
  method: 'DELETE',
  path: '/user',
  tag: 'accounts',
  summary:
    'Delete the caller\'s account: nothing personal is left, and what others need shows "Former member"; there is no way back',
  access,
  audit: 'account.deleted',
  body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }), ...PROOF }, strict),
  response: Done,
  errors: ['validation_failed', 'conflict', 'too_many_requests'],
});
