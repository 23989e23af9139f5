import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { say } from '../../platform/model/sentence.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import type { Vault } from '../../platform/server/vault.ts';
import { closeAllSessions } from '../../session/server/index.ts';
import type { InvitedRole } from '../model/roles.ts';
import {
  findMember,
  type Handover,
  leave,
  leftMark,
  lockMembers,
  type MemberKey,
  requireOtherAdmin,
} from './members.ts';
import './tables.ts';

const MAX_USERNAME = 80;
const ATTEMPTS = 6;

/** A username from what a provider calls the person: without an `@`, which makes an e-mail of it. */
const usernameFrom = (name: string | null, email: string): string => {
  const wanted = name === null || name.trim() === '' ? email : name;
  const [local = ''] = wanted.split('@');
  const plain = local
    .replace(/[^\p{L}\p{N}._ -]+/gu, ' ')
    .trim()
    .slice(0, MAX_USERNAME);
  return plain === '' ? 'member' : plain;
};

export interface NewMember {
  clientId: string;
  email: string;
  /** What the provider calls them; a username is made of it. */
  name: string | null;
  role: InvitedRole;
}

/**
 * Makes a member without a password: an identity provider answers for them. An open invitation of the same e-mail is used up.
 * @throws conflict where another organisation has an account with the e-mail
 */
export const addMember = async (
  db: Db,
  { clientId, email, name, role }: NewMember,
): Promise<{ id: string; username: string }> => {
  const wanted = usernameFrom(name, email);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // names are unique on the whole installation, which only the database sees
    const username = attempt === 0 ? wanted : `${wanted} ${randomInt(10 ** (attempt + 2))}`;
    const made = await db
      .insertInto('users')
      .values({ client_id: clientId, email, username, role, password_hash: '' })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made === undefined) continue;
    await db
      .deleteFrom('invitations')
      .where('client_id', '=', clientId)
      .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
      .execute();
    return { id: made.id, username };
  }
  throw new AppError('conflict', say('{email} has an account already, perhaps in another organisation.', { email }));
};

/** Gives a member another role and ends their sessions. @throws user_not_found, conflict for the last admin */
export const giveRole = async (db: Db, { role, ...key }: MemberKey & { role: InvitedRole }): Promise<void> => {
  await lockMembers(db, key.clientId);
  const member = await findMember(db, key);
  if (member === undefined) throw new AppError('user_not_found');
  if (member.role === role) return;
  if (member.role === 'admin') await requireOtherAdmin(db, key);
  await db.updateTable('users').set({ role }).where('client_id', '=', key.clientId).where('id', '=', key.id).execute();
  await closeAllSessions(db, { clientId: key.clientId, userId: key.id });
};

/**
 * A member leaves because their identity provider says so: as a removal in the team, what they owned goes to nobody.
 * @throws user_not_found, conflict for the last admin
 */
export const deactivateMember = async (
  db: Db,
  { caller, id, ...deps }: { caller: Caller; id: string; handovers: readonly Handover[]; vault: Vault },
): Promise<void> => {
  await lockMembers(db, caller.clientId);
  const member = await findMember(db, { clientId: caller.clientId, id });
  if (member === undefined) throw new AppError('user_not_found');
  await leave(db, caller, { member, handOverTo: null, ...deps });
};

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505';

/** Runs a statement that a unique index may refuse, and goes on. @returns whether it was taken */
const attempt = async (db: Db, statement: () => Promise<unknown>): Promise<boolean> => {
  await sql`savepoint attempt`.execute(db);
  try {
    await statement();
    await sql`release savepoint attempt`.execute(db);
    return true;
  } catch (error) {
    if (!isTaken(error)) throw error;
    await sql`rollback to savepoint attempt`.execute(db);
    return false;
  }
};

/**
 * Who left comes back under their name, without a password. @throws user_not_found, conflict where somebody else has the e-mail
 */
export const restoreMember = async (
  db: Db,
  { clientId, id, email, role }: MemberKey & Pick<NewMember, 'email' | 'role'>,
): Promise<void> => {
  await lockMembers(db, clientId);
  const row = await db
    .selectFrom('users')
    .select('username')
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .where('status', '=', 'disabled')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('user_not_found');
  const mark = leftMark(id);
  const name = row.username.endsWith(mark) ? row.username.slice(0, -mark.length) : row.username;
  for (let round = 0; round < ATTEMPTS; round += 1) {
    const username = round === 0 ? name : `${name} ${randomInt(10 ** (round + 2))}`;
    const isDone = await attempt(db, () =>
      db
        .updateTable('users')
        .set({ status: 'active', email, username, role })
        .where('client_id', '=', clientId)
        .where('id', '=', id)
        .execute(),
    );
    if (isDone) return;
  }
  throw new AppError('conflict', say('{email} has an account already, perhaps in another organisation.', { email }));
};

/** Gives a member another e-mail. @throws conflict where somebody else has it */
export const changeEmail = async (db: Db, { clientId, id, email }: MemberKey & { email: string }): Promise<void> => {
  const isDone = await attempt(db, () =>
    db.updateTable('users').set({ email }).where('client_id', '=', clientId).where('id', '=', id).execute(),
  );
  if (!isDone)
    throw new AppError('conflict', say('{email} has an account already, perhaps in another organisation.', { email }));
};
