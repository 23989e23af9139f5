import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import type { Role } from '../../platform/model/permissions.ts';
import { say } from '../../platform/model/sentence.ts';
import { OPERATOR, recordAudit } from '../../platform/server/audit.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { closeAllSessions } from './sessions.ts';
import './tables.ts';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const FIRST_START_LOCK = 0x73657475;

export interface NewAccount {
  organizationName: string;
  email: string;
  username: string;
  password: string;
}

export interface Account {
  userId: string;
  clientId: string;
  email: string;
  username: string;
  role: Role;
  organizationName: string;
}

/** Whether nobody could sign in to an organisation yet. The superadmin of the platform does not count. */
export const isSetupNeeded = async (db: Db): Promise<boolean> => {
  const row = await db.selectFrom('users').select('id').where('role', '<>', 'superadmin').limit(1).executeTakeFirst();
  return row === undefined;
};

/** One first start at a time, in all processes. */
const lockFirstStart = async (db: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${FIRST_START_LOCK})`.execute(db);
};

const insertAccount = async (
  db: Db,
  account: Omit<NewAccount, 'password'>,
  role: Role,
  passwordHash: string,
): Promise<Account> => {
  const { id: clientId } = await db
    .insertInto('clients')
    .values({ organization_name: account.organizationName })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: userId } = await db
    .insertInto('users')
    .values({
      client_id: clientId,
      email: account.email,
      username: account.username,
      password_hash: passwordHash,
      role,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { email, username, organizationName } = account;
  return { userId, clientId, email, username, role, organizationName };
};

/**
 * Makes an organisation and its admin.
 * @throws conflict where somebody has the e-mail or username.
 */
export const createAccount = async (db: Db, account: NewAccount, passwordHash: string): Promise<Account> => {
  // one at a time: two people who take one name at once must not both find it free
  await lockFirstStart(db);
  for (const identifier of [account.email, account.username]) {
    const known = await findByIdentifier(db, identifier);
    if (known !== undefined)
      throw new AppError('conflict', say('{identifier} is taken. Choose another.', { identifier }));
  }
  return insertAccount(db, account, 'admin', passwordHash);
};

/**
 * Makes the first organisation and its admin; of several at once exactly one succeeds.
 * @throws setup_already_done
 */
export const createFirstAccount = async (db: Db, account: NewAccount, passwordHash: string): Promise<Account> => {
  await lockFirstStart(db);
  if (!(await isSetupNeeded(db))) throw new AppError('setup_already_done');
  return insertAccount(db, account, 'admin', passwordHash);
};

/** Makes the first admin named by the environment, unless an organisation is there. @returns whether it was made. */
export const ensureFirstAdmin = async (database: DatabaseHandle, account: NewAccount): Promise<boolean> => {
  if (!(await database.forIdentity(isSetupNeeded))) return false;
  const passwordHash = await hashPassword(account.password);
  return database.forIdentity(async (db) => {
    await lockFirstStart(db);
    if (!(await isSetupNeeded(db))) return false;
    await insertAccount(db, account, 'admin', passwordHash);
    return true;
  });
};

/** Makes the superadmin named by the environment with an organisation of its own, unless the e-mail is known; a password may follow. */
export const ensureSuperadmin = async (
  database: DatabaseHandle,
  account: Omit<NewAccount, 'password'> & { password: string | undefined },
): Promise<boolean> => {
  const isKnown = async (db: Db): Promise<boolean> => (await findByIdentifier(db, account.email)) !== undefined;
  if (await database.forIdentity(isKnown)) return false;
  const passwordHash = account.password === undefined ? '' : await hashPassword(account.password);
  return database.forIdentity(async (db) => {
    await lockFirstStart(db);
    if (await isKnown(db)) return false;
    await insertAccount(db, account, 'superadmin', passwordHash);
    return true;
  });
};

export interface KnownUser extends Account {
  /** Empty: none yet, nobody can sign in. */
  passwordHash: string;
  isActive: boolean;
  hasTwoFactor: boolean;
  /** The organisation wants it and this person has none. */
  needsTwoFactor: boolean;
}

/** The user with this e-mail or username; an e-mail wins. Case does not matter. */
export const findByIdentifier = async (db: Db, identifier: string): Promise<KnownUser | undefined> => {
  const wanted = identifier.trim().toLowerCase();
  const row = await db
    .selectFrom('users')
    .innerJoin('clients', 'clients.id', 'users.client_id')
    .select(['users.id', 'users.client_id', 'users.email', 'users.username', 'users.role', 'users.status'])
    .select(['users.password_hash', 'clients.organization_name', 'users.two_factor_at', 'clients.require_2fa'])
    .where(sql<boolean>`(lower(users.email) = ${wanted} or lower(users.username) = ${wanted})`)
    // deleted accounts share a name
    .where('users.erased_at', 'is', null)
    .orderBy(sql`lower(users.email) = ${wanted}`, 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    userId: row.id,
    clientId: row.client_id,
    email: row.email,
    username: row.username,
    role: row.role,
    organizationName: row.organization_name,
    passwordHash: row.password_hash,
    isActive: row.status === 'active',
    hasTwoFactor: row.two_factor_at !== null,
    needsTwoFactor: row.require_2fa && row.two_factor_at === null,
  };
};

/** Sets a password and ends every session of the user. @returns false where the user is not there or not active. */
export const setPassword = async (
  db: Db,
  user: { clientId: string; userId: string },
  passwordHash: string,
): Promise<boolean> => {
  const changed = await db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('client_id', '=', user.clientId)
    .where('id', '=', user.userId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  await closeAllSessions(db, user);
  return changed.numUpdatedRows > 0n;
};

/** Sets a password and ends every session of the user. @returns false when nobody has that e-mail or username. */
export const resetPassword = async (
  database: DatabaseHandle,
  request: { identifier: string; password: string },
): Promise<boolean> => {
  const passwordHash = await hashPassword(request.password);
  return database.forIdentity(async (db) => {
    const user = await findByIdentifier(db, request.identifier);
    if (user === undefined) return false;
    await db
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('client_id', '=', user.clientId)
      .where('id', '=', user.userId)
      .execute();
    await closeAllSessions(db, user);
    await recordAudit(db, {
      clientId: user.clientId,
      kind: 'account.password-reset',
      actor: OPERATOR,
      origin: undefined,
      subject: user.username,
    });
    return true;
  });
};

const run = promisify(argon2);

/** OWASP Password Storage Cheat Sheet, 2025: Argon2id with 19 MiB, 2 passes, 1 lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** Hash of a password in PHC form, with its own salt and the cost inside. */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16);
  const tag = await run('argon2id', { message: password, nonce, ...COST });
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(tag)}`;
};

/** Whether the password made this hash. A hash that cannot be read fits no password. */
export const verifyPassword = async (password: string, phc: string): Promise<boolean> => {
  const [, memory, passes, parallelism, salt, expected] = PHC.exec(phc) ?? [];
  if (salt === undefined || expected === undefined) return false;
  const wanted = Buffer.from(expected, 'base64');
  const tag = await run('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  });
  return timingSafeEqual(tag, wanted);
};

let standIn: Promise<string> | undefined;

/** Spends the time of a verification where there is no user, so that nobody learns who exists. */
export const pretendToVerify = async (password: string): Promise<false> => {
  standIn ??= hashPassword(randomBytes(16).toString('hex'));
  await verifyPassword(password, await standIn);
  return false;
};
