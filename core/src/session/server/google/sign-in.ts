import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { RequestOrigin } from '../../../platform/server/audit.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import type { AttemptLimiter } from '../../../platform/server/limits.ts';
import { findByIdentifier, type KnownUser } from '../accounts.ts';
import { type DeviceSigner, deviceTokenFor, knownDevice, type PasswordRule, type SignedIn } from '../login.ts';
import { openSession } from '../sessions.ts';
import { issueTicket } from '../two-factor/tickets.ts';
import type { Google, GooglePerson } from './google-provider.ts';
import './tables.ts';

/** Sign-ins by Google that one address may begin or end. */
export const GOOGLE_LIMIT = { name: 'google', attempts: 100, perSeconds: 300 } as const;
/** How long the page may show before the person presses the button. */
export const BEGUN_SECONDS = 3600;

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export const drawToken = (): string => randomBytes(32).toString('base64url');

export interface GoogleSignInDeps {
  database: DatabaseHandle;
  devices: DeviceSigner;
  mayUsePassword: PasswordRule;
  /** Nothing where the operator configured none. */
  google: Google | undefined;
  googleAttempts: AttemptLimiter;
}

/** @throws integration_not_configured */
export const requireGoogle = ({ google }: Pick<GoogleSignInDeps, 'google'>): Google => {
  if (google !== undefined) return google;
  throw new AppError(
    'integration_not_configured',
    msg('Sign-in by Google is not configured. The operator sets GOOGLE_SIGN_IN_CLIENT_ID.'),
  );
};

/** Draws the nonce of a sign-in of one browser. */
export const beginSignIn = async (db: Db, browserToken: string): Promise<string> => {
  const nonce = drawToken();
  // index: google_sign_ins_ended
  await db.deleteFrom('google_sign_ins').where('expires_at', '<', sql<Date>`now()`).execute();
  await db
    .insertInto('google_sign_ins')
    .values({
      nonce_hash: hashOf(nonce),
      browser_hash: hashOf(browserToken),
      expires_at: sql<Date>`now() + make_interval(secs => ${BEGUN_SECONDS})`,
    })
    .execute();
  return nonce;
};

/** Takes a nonce, once. The transaction must commit whatever comes of the sign-in. @returns whether this browser began with it */
const takeNonce = async (db: Db, nonce: string, browserToken: string): Promise<boolean> => {
  const taken = await db
    .deleteFrom('google_sign_ins')
    .where('nonce_hash', '=', hashOf(nonce))
    .where('browser_hash', '=', hashOf(browserToken))
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('nonce_hash')
    .executeTakeFirst();
  return taken !== undefined;
};

/** The person's account: by subject, else by an e-mail that Google answers for. @throws single_sign_on_refused */
const findAccount = async (db: Db, person: GooglePerson): Promise<KnownUser> => {
  const linked = await db
    .selectFrom('google_identities')
    .innerJoin('users', (join) =>
      join
        .onRef('users.client_id', '=', 'google_identities.client_id')
        .onRef('users.id', '=', 'google_identities.user_id'),
    )
    .select('users.email')
    .where('subject', '=', person.subject)
    .where('users.status', '=', 'active')
    .executeTakeFirst();
  if (linked === undefined && !person.ownsEmail) {
    throw new AppError(
      'single_sign_on_refused',
      say('Google does not answer for {email}. Sign in with your password.', {
        email: person.email === '' ? 'your e-mail' : person.email,
      }),
    );
  }
  const user = await findByIdentifier(db, linked?.email ?? person.email);
  if (user?.isActive === true) return user;
  throw new AppError(
    'single_sign_on_refused',
    say('No account belongs to {email}. Ask an admin to invite you, or create an account.', { email: person.email }),
  );
};

/** Remembers who the person is at Google. An account has one Google account, and the other way round. */
const link = async (db: Db, user: KnownUser, { subject, email, name }: GooglePerson): Promise<void> => {
  await db
    .deleteFrom('google_identities')
    .where((where) =>
      where.or([
        where('subject', '=', subject),
        where.and([where('client_id', '=', user.clientId), where('user_id', '=', user.userId)]),
      ]),
    )
    .execute();
  await db
    .insertInto('google_identities')
    .values({ client_id: user.clientId, user_id: user.userId, subject, email, name })
    .execute();
};

interface GoogleSignIn {
  clientId: string;
  credential: string;
  browserToken: string | undefined;
  deviceToken: string | undefined;
  remoteAddress: string;
  origin: RequestOrigin;
}

/**
 * Signs in by an ID token of Google; where the account asks for a second factor, with its ticket alone. Rules of the organisation hold as
 * for a password.
 * @throws integration_not_configured, single_sign_on_refused, single_sign_on_required, too_many_requests, upstream_failed
 */
export const signInByGoogle = async (
  deps: GoogleSignInDeps,
  request: GoogleSignIn,
): Promise<SignedIn | { ticket: string }> => {
  const { database, devices } = deps;
  const { clientId, credential, browserToken, origin } = request;
  const google = requireGoogle(deps);
  await deps.googleAttempts.take(request.remoteAddress);
  const isOwnNonce = async (nonce: string): Promise<boolean> =>
    browserToken !== undefined && (await database.forIdentity((db) => takeNonce(db, nonce, browserToken)));
  const person = await google.verify(credential, { clientId, isOwnNonce });
  const user = await database.forIdentity((db) => findAccount(db, person));
  if (!(await deps.mayUsePassword(user))) throw new AppError('single_sign_on_required');
  const session = { ...user, remember: false, origin, method: 'google' } as const;
  const opened = await database.forIdentity(async (db) => {
    await link(db, user, person);
    return user.hasTwoFactor ? { ticket: await issueTicket(db, session) } : { token: await openSession(db, session) };
  });
  if (opened.ticket !== undefined) return { ticket: opened.ticket };
  const deviceId = await knownDevice(devices, request.deviceToken, user.userId);
  const deviceToken = await deviceTokenFor(devices, user.userId, deviceId);
  return { account: user, token: opened.token, deviceToken, needsTwoFactor: user.needsTwoFactor };
};
