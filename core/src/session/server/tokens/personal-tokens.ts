import { sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type Caller, type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import { listPersonalTokens, makePersonalToken, revokePersonalToken } from '../../api/personal-token-routes.ts';
import { drawToken, listApiTokens, revokeApiToken, storeApiToken } from './api-tokens.ts';
import { expiryOf, newToken, tokenItem } from './token-endpoints.ts';
import '../tables.ts';

/** More than one person may hold at once. */
const MAX_LISTED = 100;

/** One request of a person at a time, and none once they have left: of many at once no more than allowed make a token. @throws not_authenticated */
const lockOwner = async (db: Db, { clientId, userId }: Caller): Promise<void> => {
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('client_id', '=', clientId)
    .where('id', '=', userId)
    .where('status', '=', 'active')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (owner === undefined) throw new AppError('not_authenticated');
};

/** Ends the tokens of somebody who leaves. Their rows stay, so that the same token never comes back. */
export const revokePersonalTokens = async (db: Db, user: { clientId: string; userId: string }): Promise<void> => {
  await db
    .updateTable('api_tokens')
    .set({ revoked_at: sql`now()` })
    .where('client_id', '=', user.clientId)
    .where('owner_id', '=', user.userId)
    .where('revoked_at', 'is', null)
    .execute();
};

/** Tokens of the caller: they call as this person, in the role that the person has at that time, and may do what their scopes say of it. */
export const createPersonalTokenEndpoints = (): Endpoint[] => [
  tenantEndpoint(listPersonalTokens)(async ({ db, caller }) => {
    const owner = { userId: caller.userId };
    const rows = await listApiTokens(db, caller.clientId, { owner, offset: 0, pageSize: MAX_LISTED });
    return { data: rows.map(tokenItem) };
  }),
  tenantEndpoint(makePersonalToken)(async ({ db, caller, body, log, audit }) => {
    const expiresAt = expiryOf(body.expired_at, 'personal');
    await lockOwner(db, caller);
    const token = drawToken('personal');
    const made = { token, name: body.name, expiresAt, scopes: body.scopes, kind: 'personal' } as const;
    const row = await storeApiToken(db, caller, made);
    audit({
      subject: row.name,
      details: { owner: caller.username, scopes: row.scopes, expired_at: row.expires_at.toISOString() },
    });
    log.info({ token_id: row.id, user_id: caller.userId }, 'a personal API token was made');
    return { success: true, data: newToken(row, token) };
  }),
  tenantEndpoint(revokePersonalToken)(async ({ db, caller, params, log, audit }) => {
    const { name } = await revokeApiToken(db, caller.clientId, { id: params.id, owner: { userId: caller.userId } });
    audit({ subject: name, details: { owner: caller.username } });
    log.info({ token_id: params.id, user_id: caller.userId }, 'a personal API token was revoked');
    return { success: true };
  }),
];
