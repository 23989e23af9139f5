import { sql } from 'kysely';
import { can } from '../../../platform/model/permissions.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';
import type { SavedFilterEntry, SavedFilterScope } from '../../model/saved-filters.ts';

export type Person = Pick<Caller, 'clientId' | 'userId' | 'role'>;

/** A saved filter, as on the wire. */
export interface SavedFilterItem {
  _id: string;
  name: string;
  scope: SavedFilterScope;
  active: boolean;
  filters: SavedFilterEntry[];
  shared: boolean;
  starred: boolean;
  own: boolean;
  owner: string;
  editable: boolean;
}

/** Saved filters one person may have. */
export const MAX_SAVED_FILTERS = 200;

/** Saved filters that one organisation may share. */
export const MAX_SHARED_FILTERS = 100;

/** Those that a person sees: their own, and what others share. Reads saved_finding_filters by primary key and by saved_finding_filters_shared. */
const seenBy = (db: Db, { clientId, userId }: Person) =>
  db
    .selectFrom('saved_finding_filters as f')
    .where('f.client_id', '=', clientId)
    .where((of) => of.or([of('f.user_id', '=', userId), of('f.is_shared', '=', true)]));

const readItems = async (
  db: Db,
  person: Person,
  wanted: { scope?: SavedFilterScope | undefined; id?: string },
): Promise<SavedFilterItem[]> => {
  const all = seenBy(db, person)
    .innerJoin('users as u', (on) => on.onRef('u.client_id', '=', 'f.client_id').onRef('u.id', '=', 'f.user_id'))
    .leftJoin('saved_filter_marks as m', (on) =>
      on.onRef('m.client_id', '=', 'f.client_id').onRef('m.filter_id', '=', 'f.id').on('m.user_id', '=', person.userId),
    )
    .select(['f.id', 'f.name', 'f.scope', 'f.filters', 'f.is_shared', 'f.user_id', 'u.username'])
    .select(['m.is_active', 'm.is_starred']);
  const ofScope = wanted.scope === undefined ? all : all.where('f.scope', '=', wanted.scope);
  const rows = await (wanted.id === undefined ? ofScope : ofScope.where('f.id', '=', wanted.id))
    .orderBy('f.scope')
    .orderBy((of) => of('f.user_id', '<>', person.userId))
    .orderBy(sql`lower(f.name)`)
    .orderBy('f.id')
    .limit(MAX_SAVED_FILTERS + MAX_SHARED_FILTERS)
    .execute();
  return rows.map((row) => {
    const own = row.user_id === person.userId;
    return {
      _id: row.id,
      name: row.name,
      scope: row.scope,
      active: row.is_active ?? false,
      filters: row.filters,
      shared: row.is_shared,
      starred: row.is_starred ?? false,
      own,
      owner: row.username,
      editable: own || can(person.role, 'findings.manage-views'),
    };
  });
};

/** The person's own, then what others share, by name; of one scope or of all. */
export const listFilters = (db: Db, person: Person, scope?: SavedFilterScope): Promise<SavedFilterItem[]> =>
  readItems(db, person, { scope });

/** One that the person sees. */
export const findById = async (db: Db, person: Person, id: string): Promise<SavedFilterItem | undefined> =>
  (await readItems(db, person, { id }))[0];

/** The person's own of a name. Reads saved_finding_filters_name. */
export const findByName = async (
  db: Db,
  { clientId, userId }: Person,
  of: { scope: SavedFilterScope; name: string },
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('saved_finding_filters')
    .select('id')
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .where('scope', '=', of.scope)
    .where(sql`lower(name)`, '=', sql`lower(${of.name})`)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
};

/** Whether the owner of one has another of a name. */
export const isNameTaken = async (
  db: Db,
  { clientId }: Person,
  { id, name }: { id: string; name: string },
): Promise<boolean> => {
  const row = await db
    .selectFrom('saved_finding_filters as f')
    .innerJoin('saved_finding_filters as other', (on) =>
      on
        .onRef('other.client_id', '=', 'f.client_id')
        .onRef('other.user_id', '=', 'f.user_id')
        .onRef('other.scope', '=', 'f.scope')
        .onRef('other.id', '<>', 'f.id'),
    )
    .select('other.id')
    .where('f.client_id', '=', clientId)
    .where('f.id', '=', id)
    .where(sql`lower(other.name)`, '=', sql`lower(${name})`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

/** How many filters a person has, and the organisation shares. */
export const countFilters = async (db: Db, { clientId, userId }: Person): Promise<{ own: number; shared: number }> =>
  db
    .selectFrom('saved_finding_filters')
    .select((of) => [
      of.fn.countAll<number>().filterWhere('user_id', '=', userId).as('own'),
      of.fn.countAll<number>().filterWhere('is_shared', '=', true).as('shared'),
    ])
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();

interface Content {
  scope: SavedFilterScope;
  name: string;
  filters: readonly SavedFilterEntry[];
}

/** PostgreSQL's jsonb holds neither NUL nor half a surrogate pair. */
const storableValue = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;

const asJson = (filters: readonly SavedFilterEntry[]) =>
  sql<SavedFilterEntry[]>`${JSON.stringify(filters, storableValue)}::jsonb`;

/** Adds one, or replaces that of the name. @returns its id */
export const putFilter = async (db: Db, person: Person, { scope, name, filters }: Content): Promise<string> => {
  const values = { client_id: person.clientId, user_id: person.userId, scope, name, filters: asJson(filters) };
  const { id } = await db
    .insertInto('saved_finding_filters')
    .values(values)
    .onConflict((of) =>
      of.expression(sql`client_id, user_id, scope, lower(name)`).doUpdateSet({ name, filters: asJson(filters) }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** Gives one a name and filters; the caller may change it. */
export const changeFilter = async (
  db: Db,
  { clientId }: Person,
  { id, name, filters }: { id: string } & Omit<Content, 'scope'>,
): Promise<void> => {
  await db
    .updateTable('saved_finding_filters')
    .set({ name, filters: asJson(filters) })
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .execute();
};

/**
 * Shares one or stops that; then nobody but its owner has it active or starred. The caller may change it.
 * @returns false where there is none any more
 */
export const shareStored = async (
  db: Db,
  { clientId }: Person,
  { id, isShared }: { id: string; isShared: boolean },
): Promise<boolean> => {
  const changed = await db
    .updateTable('saved_finding_filters')
    .set({ is_shared: isShared })
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .returning('user_id')
    .executeTakeFirst();
  if (changed === undefined || isShared) return changed !== undefined;
  await db
    .deleteFrom('saved_filter_marks')
    .where('client_id', '=', clientId)
    .where('filter_id', '=', id)
    .where('user_id', '<>', changed.user_id)
    .execute();
  return true;
};

/** One that a person sees, locked: who deletes or stops sharing it comes after, and never waits for their marks while they wait for it. */
const lockSeen = (db: Db, person: Person, id: string) =>
  seenBy(db, person).select('f.scope').where('f.id', '=', id).forShare('f').executeTakeFirst();

interface Mark {
  id: string;
  scope: SavedFilterScope;
  change: { is_active: boolean } | { is_starred: boolean };
}

const mark = (db: Db, { clientId, userId }: Person, { id, scope, change }: Mark) =>
  db
    .insertInto('saved_filter_marks')
    .values({ client_id: clientId, user_id: userId, filter_id: id, scope, ...change })
    .onConflict((of) => of.columns(['client_id', 'user_id', 'filter_id']).doUpdateSet(change))
    .execute();

/** Makes one the active one of its scope: first none is, because two may not be. @returns false where the person sees none of the id */
export const activate = async (db: Db, person: Person, id: string): Promise<boolean> => {
  const seen = await lockSeen(db, person, id);
  if (seen === undefined) return false;
  await db
    .updateTable('saved_filter_marks')
    .set({ is_active: false })
    .where('client_id', '=', person.clientId)
    .where('user_id', '=', person.userId)
    .where('scope', '=', seen.scope)
    .where('is_active', '=', true)
    .execute();
  await mark(db, person, { id, scope: seen.scope, change: { is_active: true } });
  return true;
};

/** Puts one into the person's navigation or takes it out. @returns false where the person sees none of the id */
export const star = async (db: Db, person: Person, id: string, isStarred: boolean): Promise<boolean> => {
  const seen = await lockSeen(db, person, id);
  if (seen !== undefined) await mark(db, person, { id, scope: seen.scope, change: { is_starred: isStarred } });
  return seen !== undefined;
};

/** The caller may change it. @returns false where there was none */
export const removeFilter = async (db: Db, { clientId }: Person, id: string): Promise<boolean> => {
  const gone = await db
    .deleteFrom('saved_finding_filters')
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .returning('id')
    .execute();
  return gone.length > 0;
};

const lock = async (db: Db, key: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
};

/** Waits for other changes of this person's filters: two at once would else both be the active one. */
export const lockFilters = (db: Db, { clientId, userId }: Pick<Person, 'clientId' | 'userId'>): Promise<void> =>
  lock(db, `saved-filters ${clientId} ${userId}`);

/** Waits for others that share, so that no more are shared than may be. */
export const lockShared = (db: Db, { clientId }: Pick<Person, 'clientId'>): Promise<void> =>
  lock(db, `shared-filters ${clientId}`);
