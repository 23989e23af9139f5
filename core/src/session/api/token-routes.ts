import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, Item, List, Nullable, OneOf, pageQuery, Timestamp } from '../../platform/api/envelope.ts';
import { TOKEN_SCOPE_NAMES } from '../../platform/model/permissions.ts';

const strict = { additionalProperties: false } as const;

export const TokenName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
/** A day (`2027-01-31`, its end in UTC) or a moment in ISO 8601. In the future, two years ahead at most; 365 days for a personal token. */
export const TokenExpiry = Type.String({ maxLength: 40 });

/** What the token may do; uploads only where nothing is chosen. */
const Scopes = Type.Array(OneOf(TOKEN_SCOPE_NAMES), { minItems: 1, maxItems: 10, uniqueItems: true });

export const TOKEN_STATES = ['active', 'expired'] as const;

/** What is shown of a token after it was made. */
export const TokenAttributes = Type.Object({
  name: Type.String(),
  /** Last four characters. */
  hint: Type.String(),
  scopes: Type.Array(OneOf(TOKEN_SCOPE_NAMES)),
  status: OneOf(TOKEN_STATES),
  created_at: Timestamp,
  expired_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  /** Who made it; null where that person is gone. */
  created_by: Nullable(Type.String()),
  /** The person who calls with it; null where it belongs to the organisation. */
  owner: Nullable(Type.String()),
});

/** A token just made: the one answer that shows it. */
export const NewToken = Type.Object({
  _id: Id,
  token: Type.String(),
  name: Type.String(),
  scopes: Type.Array(OneOf(TOKEN_SCOPE_NAMES)),
  created_at: Timestamp,
  expired_at: Timestamp,
});

export const generateToken = route({
  method: 'POST',
  path: '/generate_plexalyzer_token',
  tag: 'session',
  summary: 'Make a token with which a machine calls; the answer is the only one that shows it',
  access: { permission: 'tokens.manage', tenant: true },
  audit: 'token.made',
  body: Type.Object({ name: TokenName, expired_at: TokenExpiry, scopes: Type.Optional(Scopes) }, strict),
  response: Action(NewToken),
  status: 201,
  errors: ['conflict', 'validation_failed'],
});

export const addToken = route({
  method: 'POST',
  path: '/add_plexalyzer_token',
  tag: 'session',
  summary:
    'Confirm a token just generated, or register an own one of 32 or more random characters, which needs name and expired_at; created_at is the time of the call',
  access: { permission: 'tokens.manage', tenant: true },
  audit: 'token.made',
  body: Type.Object(
    {
      token: Type.String({ minLength: 1, maxLength: 1000 }),
      name: Type.Optional(TokenName),
      created_at: Type.Optional(Type.String({ maxLength: 40 })),
      expired_at: Type.Optional(TokenExpiry),
      scopes: Type.Optional(Scopes),
    },
    strict,
  ),
  response: Action(Item(TokenAttributes)),
  errors: ['conflict', 'validation_failed'],
});

export const listTokens = route({
  method: 'GET',
  path: '/plexalyzer_tokens',
  tag: 'session',
  summary: 'Tokens of machines, then personal ones of people, each newest first, without those revoked',
  access: { permission: 'tokens.manage', tenant: true },
  query: Type.Object({ ...pageQuery }, strict),
  response: List(TokenAttributes),
});

export const revokeToken = route({
  method: 'DELETE',
  path: '/plexalyzer_tokens/{id}',
  tag: 'session',
  summary: 'Revoke a token of the organisation or of somebody in it: it is refused from now on',
  access: { permission: 'tokens.manage', tenant: true },
  audit: 'token.revoked',
  params: Type.Object({ id: Id }),
  response: Done,
  errors: ['token_not_found'],
});
