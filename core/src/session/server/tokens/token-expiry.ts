import { sql } from 'kysely';
import { Type } from 'typebox';
import { notify } from '../../../notifications/server/index.ts';
import type { TokenScope } from '../../../platform/model/permissions.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import '../tables.ts';

/** How long before its end people are told of a token. */
const WARN_DAYS = 7;

/** Organisations with a token that ends soon. Reads api_tokens_expiring. */
const clientsToWarn = async (db: Db): Promise<string[]> => {
  const rows = await db
    .selectFrom('api_tokens')
    .select('client_id')
    .distinct()
    .where('revoked_at', 'is', null)
    .where('warned_at', 'is', null)
    .where('expires_at', '<', sql<Date>`now() + make_interval(days => ${WARN_DAYS})`)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();
  return rows.map((row) => row.client_id);
};

/** Where tokens of the organisation are made. */
const pageOf = (scopes: readonly TokenScope[]): string =>
  scopes.includes('scim') ? '/settings/single-sign-on' : '/connector/tools?open=miscellaneous/plexalyzer';

const warnClient = async (db: Db, clientId: string): Promise<number> => {
  const ending = await db
    .updateTable('api_tokens')
    .set({ warned_at: sql`now()` })
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .where('warned_at', 'is', null)
    .where('expires_at', '<', sql<Date>`now() + make_interval(days => ${WARN_DAYS})`)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['name', 'expires_at', 'scopes', 'owner_id'])
    .execute();
  for (const { name, expires_at, scopes, owner_id } of ending) {
    await notify(db, {
      clientId,
      type: 'token_expiring',
      title: say('The token "{name}" ends soon', { name }),
      message: say('It is refused from {moment} on. Make a new one and give it to whatever calls with it.', {
        moment: { at: expires_at.toISOString() },
      }),
      ...(owner_id === null
        ? { link: pageOf(scopes), to: { permission: 'tokens.manage' } }
        : { link: '/settings/tokens', to: { userIds: [owner_id] }, channelTitle: null }),
    });
  }
  return ending.length;
};

/** Notifies once of each token that ends within seven days, its owner or else admins, whichever process asks first. @returns how many tokens. */
export const warnOfExpiringTokens = async (database: DatabaseHandle): Promise<number> => {
  let count = 0;
  for (const clientId of await database.forIdentity(clientsToWarn)) {
    count += await database.forClient(clientId, (db) => warnClient(db, clientId));
  }
  return count;
};

export const warnOfTokenExpiry = defineJob({
  name: 'session.warn-of-token-expiry',
  input: Type.Object({}),
  retry: { limit: 5 },
  schedule: { cron: '23 * * * *' },
  run: ({ database }: { database: DatabaseHandle }) => warnOfExpiringTokens(database),
});
