import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { type RequestOrigin, recordAudit } from '../../platform/server/audit.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { closeAllSessions } from '../../session/server/index.ts';
import './tables.ts';

/** Tables whose rows belong to organisations, from the catalogue of the database. */
export const listTenantTables = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped order by c.relname`.execute(
    db,
  );
  return rows.map(({ name }) => name);
};

/** One deletion at a time, and nobody changes the team meanwhile. The caller is looked at again. @throws not_authenticated, forbidden */
const lockOrganization = async (db: Db, { clientId, userId }: Caller): Promise<string> => {
  const organization = await db
    .selectFrom('clients')
    .select('organization_name')
    .where('id', '=', clientId)
    .forUpdate()
    .executeTakeFirst();
  if (organization === undefined) throw new AppError('not_authenticated');
  const caller = await db
    .selectFrom('users')
    .select('role')
    .where('client_id', '=', clientId)
    .where('id', '=', userId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (caller?.role !== 'admin') throw new AppError('forbidden');
  return organization.organization_name;
};

const OPERATORS = msg(
  'Superadmins, who run this installation, belong to your organisation: whoever operates the server deletes it there.',
);

type PaidReason = (db: Db, clientId: string) => Promise<string | null>;

interface DeletionRefusal {
  code: 'operators' | 'paid';
  /** With what to do. */
  text: string;
}

/** Why the organisation cannot be deleted by its admin; undefined where it can. */
export const deletionRefusal = async (
  db: Db,
  clientId: string,
  paidReason: PaidReason,
): Promise<DeletionRefusal | undefined> => {
  const operator = await db
    .selectFrom('users')
    .select('id')
    .where('client_id', '=', clientId)
    .where('role', '=', 'superadmin')
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst();
  if (operator !== undefined) return { code: 'operators', text: OPERATORS };
  const text = await paidReason(db, clientId);
  return text === null ? undefined : { code: 'paid', text };
};

const requireName = (typed: string, name: string): void => {
  if (typed.trim() === name.trim()) return;
  const text = msg('This is not the name of your organisation.');
  const issues = [{ loc: ['body', 'organization_name'], msg: text, type: 'organization_name' }];
  throw new AppError('validation_failed', text, { issues });
};

/** Its own audit log goes with it: superadmins read in theirs that it is gone, and not by whose name. */
const recordForSuperadmins = async (
  db: Db,
  { clientId, userId, name, origin }: { clientId: string; userId: string; name: string; origin: RequestOrigin },
): Promise<void> => {
  await sql`select set_config('app.identity', 'on', true)`.execute(db);
  const platforms = await db
    .selectFrom('users')
    .select('client_id')
    .distinct()
    .where('role', '=', 'superadmin')
    .where('client_id', '<>', clientId)
    .execute();
  for (const { client_id } of platforms) {
    await recordAudit(db, {
      clientId: client_id,
      kind: 'data.removed',
      actor: { type: 'person', id: userId, name: 'Admin of the organisation' },
      origin,
      subject: name,
      details: { what: 'organisation' },
    });
  }
};

/** Open pages of everybody learn that their session has ended. */
const endSessions = async (db: Db, clientId: string): Promise<void> => {
  const people = await db.selectFrom('users').select('id').where('client_id', '=', clientId).execute();
  for (const { id } of people) await closeAllSessions(db, { clientId, userId: id });
};

/**
 * Deletes the caller's organisation with everything that belongs to it, its audit log too, in one transaction: a killed process leaves all of
 * it. Foreign keys reach most rows; the rest, such as aggregates that the deletion itself writes anew, is deleted table by table.
 * @throws validation_failed, conflict, forbidden, not_authenticated
 */
export const deleteOwnOrganization = async (
  db: Db,
  request: {
    caller: Caller;
    typedName: string;
    origin: RequestOrigin;
    paidReason: PaidReason;
  },
): Promise<void> => {
  const { caller, typedName, origin, paidReason } = request;
  const { clientId, userId } = caller;
  const name = await lockOrganization(db, caller);
  requireName(typedName, name);
  const refusal = await deletionRefusal(db, clientId, paidReason);
  if (refusal !== undefined) throw new AppError('conflict', refusal.text);
  await endSessions(db, clientId);
  await db.deleteFrom('clients').where('id', '=', clientId).execute();
  for (const table of await listTenantTables(db))
    await sql`delete from ${sql.table(table)} where client_id = ${clientId}`.execute(db);
  await recordForSuperadmins(db, { clientId, userId, name, origin });
};

/** How much there is to lose. Repositories and findings without sample data count too: all of it goes. */
export const countOwnOrganization = async (db: Db, clientId: string) => {
  const { rows } = await sql<{ organization_name: string; people: number; repositories: number; findings: number }>`
    select organization_name,
      (select count(*)::integer from users u where u.client_id = c.id and u.status = 'active') as people,
      (select count(*)::integer from repositories r where r.client_id = c.id) as repositories,
      (select coalesce(sum(count), 0)::integer from aggregate_cells a where a.client_id = c.id) as findings
    from clients c where c.id = ${clientId}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new AppError('client_not_found');
  return row;
};
