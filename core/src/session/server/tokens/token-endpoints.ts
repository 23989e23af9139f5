import { AppError, type FieldIssue } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { can, type TokenScope } from '../../../platform/model/permissions.ts';
import { say } from '../../../platform/model/sentence.ts';
import { type Caller, type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import { pageMeta, readPaging } from '../../../platform/server/paging.ts';
import { addToken, generateToken, listTokens, revokeToken } from '../../api/token-routes.ts';
import { ownTokenIssue, readExpiry, type TokenKind } from '../../model/api-token.ts';
import {
  countApiTokens,
  drawToken,
  findApiToken,
  listApiTokens,
  revokeApiToken,
  storeApiToken,
  type TokenRow,
} from './api-tokens.ts';

/** What a token may do where its maker chose nothing: what every token could before there were scopes. */
const UPLOAD_ONLY: readonly TokenScope[] = ['upload'];

const issue = (field: string, msg: string, type: string): FieldIssue => ({ loc: ['body', field], msg, type });

const refuse = (...issues: FieldIssue[]): AppError => new AppError('validation_failed', undefined, { issues });

/** @throws validation_failed */
export const expiryOf = (text: string, kind: TokenKind): Date => {
  const expiresAt = readExpiry(text, new Date(), kind);
  if (expiresAt instanceof Date) return expiresAt;
  throw refuse(issue('expired_at', expiresAt.issue, 'expiry'));
};

export const tokenItem = (row: TokenRow) => ({
  _id: row.id,
  attributes: {
    name: row.name,
    hint: row.hint,
    scopes: row.scopes,
    status: row.is_expired ? ('expired' as const) : ('active' as const),
    created_at: row.created_at.toISOString(),
    expired_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_by: row.created_by,
    owner: row.owner,
  },
});

/** The one answer that shows the token. */
export const newToken = (row: TokenRow, token: string) => {
  const { name, scopes, created_at, expired_at } = tokenItem(row).attributes;
  return { _id: row.id, token, name, scopes, created_at, expired_at };
};

interface OwnToken {
  token: string;
  name?: string;
  expired_at?: string;
  scopes?: readonly TokenScope[];
}

/** @throws validation_failed with everything that an own token lacks. */
const readOwnToken = (body: OwnToken) => {
  const tokenIssue = ownTokenIssue(body.token);
  const expiresAt = body.expired_at === undefined ? undefined : readExpiry(body.expired_at, new Date(), 'organization');
  const issues = [
    ...(tokenIssue === undefined ? [] : [issue('token', tokenIssue, 'token')]),
    ...(body.name === undefined ? [issue('name', msg('Name the token.'), 'missing')] : []),
    ...(expiresAt === undefined ? [issue('expired_at', msg('Say when the token ends.'), 'missing')] : []),
    ...(expiresAt !== undefined && 'issue' in expiresAt ? [issue('expired_at', expiresAt.issue, 'expiry')] : []),
  ];
  if (issues.length > 0 || body.name === undefined || !(expiresAt instanceof Date)) throw refuse(...issues);
  return {
    token: body.token,
    name: body.name,
    expiresAt,
    scopes: body.scopes ?? UPLOAD_ONLY,
    kind: 'organization' as const,
  };
};

const isSameScopes = (one: readonly TokenScope[], other: readonly TokenScope[]): boolean =>
  one.length === other.length && one.every((scope) => other.includes(scope));

/** A token that is stored already may be confirmed, unless it has ended. @throws conflict */
const confirm = (known: TokenRow, { name, scopes }: Pick<OwnToken, 'name' | 'scopes'>): TokenRow => {
  if (known.revoked_at !== null) throw new AppError('conflict', msg('This token has been revoked. Make a new one.'));
  if (known.is_expired) throw new AppError('conflict', msg('This token has expired. Make a new one.'));
  if (name !== undefined && name.trim().toLowerCase() !== known.name.toLowerCase()) {
    throw new AppError('conflict', say('This token is stored as "{name}".', { name: known.name }));
  }
  if (scopes !== undefined && !isSameScopes(scopes, known.scopes)) {
    throw new AppError(
      'conflict',
      say('This token is stored with the scopes {scopes}. Make a new one for others.', {
        scopes: known.scopes.join(', '),
      }),
    );
  }
  return known;
};

/** Who hands people and groups to an identity provider has to manage them. @throws forbidden */
const requireGrantable = ({ role }: Caller, scopes: readonly TokenScope[]): void => {
  if (scopes.includes('scim') && !can(role, 'team.manage'))
    throw new AppError('forbidden', msg('A token that provisions people is made by who manages the team.'));
};

/** Tokens of machines, and what admins do with those of people. Source: specification §7 (Plexalyzer), decisions.md "Roles". */
export const createTokenEndpoints = (): Endpoint[] => [
  tenantEndpoint(generateToken)(async ({ db, caller, body, log, audit }) => {
    const token = drawToken('organization');
    const { name: wanted, expired_at: end, scopes: chosen = UPLOAD_ONLY } = body;
    requireGrantable(caller, chosen);
    const expiresAt = expiryOf(end, 'organization');
    const row = await storeApiToken(db, caller, {
      token,
      name: wanted,
      expiresAt,
      scopes: chosen,
      kind: 'organization',
    });
    log.info({ token_id: row.id, name: row.name, user_id: caller.userId }, 'an API token was made');
    audit({ subject: row.name, details: { scopes: row.scopes, expired_at: row.expires_at.toISOString() } });
    return { success: true, data: newToken(row, token) };
  }),
  tenantEndpoint(addToken)(async ({ db, caller, body, log, audit }) => {
    const known = await findApiToken(db, caller.clientId, body.token);
    if (known !== undefined) {
      audit({ isUnchanged: true });
      return { success: true, data: tokenItem(confirm(known, body)) };
    }
    const own = readOwnToken(body);
    requireGrantable(caller, own.scopes);
    const row = await storeApiToken(db, caller, own);
    audit({ subject: row.name, details: { scopes: row.scopes, expired_at: row.expires_at.toISOString() } });
    log.info({ token_id: row.id, name: row.name, user_id: caller.userId }, 'an API token was registered');
    return { success: true, data: tokenItem(row) };
  }),
  tenantEndpoint(listTokens)(async ({ db, caller, query }) => {
    const paging = readPaging(query);
    const rows = await listApiTokens(db, caller.clientId, { ...paging, owner: 'everybody' });
    const total = await countApiTokens(db, caller.clientId, 'everybody');
    return { data: rows.map(tokenItem), meta: pageMeta(total, paging) };
  }),
  tenantEndpoint(revokeToken)(async ({ db, caller, params, log, audit }) => {
    const { name, owner } = await revokeApiToken(db, caller.clientId, { id: params.id, owner: 'everybody' });
    audit({ subject: name, details: owner === null ? {} : { owner } });
    log.info({ token_id: params.id, name, user_id: caller.userId }, 'an API token was revoked');
    return { success: true };
  }),
];
