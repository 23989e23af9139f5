import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';
import type { Vault } from '../../../platform/server/vault.ts';
import { type GoogleSignInDeps, requireGoogle } from './sign-in.ts';
import './tables.ts';

/** Where the vault keeps `google_oauth_token` of an organisation. */
export const GOOGLE_TOKEN = { connectorId: 'google', field: 'google_oauth_token' } as const;

/** How the session of the caller was opened, and what Google said of them. */
export const readGoogleState = async (db: Db, caller: Caller) => {
  const row = await db
    .selectFrom('sessions')
    .leftJoin('google_identities', (join) =>
      join
        .onRef('google_identities.client_id', '=', 'sessions.client_id')
        .onRef('google_identities.user_id', '=', 'sessions.user_id'),
    )
    .select(['sessions.method', 'google_identities.email', 'google_identities.name'])
    .where('sessions.client_id', '=', caller.clientId)
    .where('sessions.token_hash', '=', caller.sessionHash)
    .executeTakeFirst();
  const { email = null, name = null } = row ?? {};
  return {
    google_auth: row?.method === 'google' ? 1 : 0,
    google_profile: email === null ? null : { email, name: name ?? '' },
  };
};

const readSubject = (database: DatabaseHandle, { clientId, userId }: Caller) =>
  database.forClient(clientId, (db) =>
    db
      .selectFrom('google_identities')
      .select('subject')
      .where('client_id', '=', clientId)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
  );

/**
 * Asks Google for the profile of the caller and stores it.
 * @throws integration_not_configured, conflict, single_sign_on_refused, upstream_failed
 */
export const refreshGoogleProfile = async (
  deps: GoogleSignInDeps & { vault: Vault },
  caller: Caller,
  given: string | undefined,
): Promise<{ email: string; name: string }> => {
  const { clientId, userId } = caller;
  const google = requireGoogle(deps);
  const known = await readSubject(deps.database, caller);
  if (known === undefined) throw new AppError('conflict', msg('You have not signed in by Google yet.'));
  const token =
    given ?? (await deps.database.forClient(clientId, (db) => deps.vault.read(db, { clientId, ...GOOGLE_TOKEN })));
  if (token === undefined) {
    throw new AppError(
      'integration_not_configured',
      msg('Give an access token of Google, or store google_oauth_token.'),
    );
  }
  const found = await google.lookUp(token, known.subject);
  return deps.database.forClient(clientId, (db) =>
    db
      .updateTable('google_identities')
      .set(found.email === '' ? { name: found.name } : found)
      .where('client_id', '=', clientId)
      .where('user_id', '=', userId)
      .returning(['email', 'name'])
      .executeTakeFirstOrThrow(),
  );
};
