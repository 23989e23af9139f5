import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, Item, OneOf } from '../../platform/api/envelope.ts';
import { PIPELINE_SCOPES } from '../../platform/model/permissions.ts';
import { NewToken, TokenAttributes, TokenExpiry, TokenName } from './token-routes.ts';

const access = { permission: 'tokens.own', tenant: true } as const;

/** Ours: what the caller holds. */
export const listPersonalTokens = route({
  method: 'GET',
  path: '/user/tokens',
  tag: 'session',
  summary: 'Personal tokens of the caller, newest first, without those revoked',
  access,
  response: Type.Object({ data: Type.Array(Item(TokenAttributes)) }),
});

export const makePersonalToken = route({
  method: 'POST',
  path: '/user/tokens',
  tag: 'session',
  summary:
    'Make a token that calls as the caller, in the role they have at that time, for what its scopes allow; the answer is the only one that shows it',
  access,
  audit: 'token.made',
  body: Type.Object(
    {
      name: TokenName,
      expired_at: TokenExpiry,
      scopes: Type.Array(OneOf(PIPELINE_SCOPES), { minItems: 1, maxItems: 10, uniqueItems: true }),
    },
    { additionalProperties: false },
  ),
  response: Action(NewToken),
  status: 201,
  errors: ['conflict', 'validation_failed'],
});

export const revokePersonalToken = route({
  method: 'DELETE',
  path: '/user/tokens/{id}',
  tag: 'session',
  summary: 'Revoke a personal token of the caller: it is refused from now on',
  access,
  audit: 'token.revoked',
  params: Type.Object({ id: Id }),
  response: Done,
  errors: ['token_not_found'],
});
