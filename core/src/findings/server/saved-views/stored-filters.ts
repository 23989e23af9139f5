import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';
import type { SavedFilterEntry, SavedFilterScope } from '../../model/saved-filters.ts';

export type Person = Pick<Caller, 'clientId' | 'userId'>;

/** A saved filter, as on the wire. */
export interface SavedFilterItem {
  _id: string;
  name: string;
  scope: SavedFilterScope;
  active: boolean;
  filters: SavedFilterEntry[];
}

/** Saved filters one person may have. */
export const MAX_SAVED_FILTERS = 200;

const COLUMNS = ['id', 'name', 'scope', 'is_active', 'filters'] as const;

interface StoredFilter {
  id: string;
  name: string;
  scope: SavedFilterScope;
  is_active: boolean;
  filters: SavedFilterEntry[];
}

const itemOf = ({ id, is_active, ...row }: StoredFilter): SavedFilterItem => ({ _id: id, ...row, active: is_active });

const ofPerson = (db: Db, { clientId, userId }: Person) =>
  db.selectFrom('saved_finding_filters').where('client_id', '=', clientId).where('user_id', '=', userId);

/** By name; of one scope or of all. Reads saved_finding_filters by primary key. */
export const listFilters = async (db: Db, person: Person, scope?: SavedFilterScope): Promise<SavedFilterItem[]> => {
  const all = ofPerson(db, person).select(COLUMNS).orderBy('scope').orderBy(sql`lower(name)`).limit(MAX_SAVED_FILTERS);
  const rows = await (scope === undefined ? all : all.where('scope', '=', scope)).execute();
  return rows.map(itemOf);
};

/** Reads saved_finding_filters_name. */
export const findByName = async (
  db: Db,
  person: Person,
  of: { scope: SavedFilterScope; name: string },
): Promise<SavedFilterItem | undefined> => {
  const row = await ofPerson(db, person)
    .select(COLUMNS)
    .where('scope', '=', of.scope)
    .where(sql`lower(name)`, '=', sql`lower(${of.name})`)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : itemOf(row);
};

/** Reads saved_finding_filters by primary key. */
export const findById = async (db: Db, person: Person, id: string): Promise<SavedFilterItem | undefined> => {
  const row = await ofPerson(db, person).select(COLUMNS).where('id', '=', id).limit(1).executeTakeFirst();
  return row === undefined ? undefined : itemOf(row);
};

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

/** Gives one a name and filters. */
export const changeFilter = async (
  db: Db,
  person: Person,
  { id, name, filters }: { id: string } & Omit<Content, 'scope'>,
): Promise<void> => {
  await db
    .updateTable('saved_finding_filters')
    .set({ name, filters: asJson(filters) })
    .where('client_id', '=', person.clientId)
    .where('user_id', '=', person.userId)
    .where('id', '=', id)
    .execute();
};

/** Makes one the active one of its scope: first none is, because two may not be. */
export const activate = async (db: Db, person: Person, of: { id: string; scope: SavedFilterScope }): Promise<void> => {
  const change = (is_active: boolean) =>
    db
      .updateTable('saved_finding_filters')
      .set({ is_active })
      .where('client_id', '=', person.clientId)
      .where('user_id', '=', person.userId)
      .where('scope', '=', of.scope);
  await change(false).where('is_active', '=', true).execute();
  await change(true).where('id', '=', of.id).execute();
};

/** @returns false where there was none */
export const removeFilter = async (db: Db, person: Person, id: string): Promise<boolean> => {
  const gone = await db
    .deleteFrom('saved_finding_filters')
    .where('client_id', '=', person.clientId)
    .where('user_id', '=', person.userId)
    .where('id', '=', id)
    .returning('id')
    .execute();
  return gone.length > 0;
};

/** Waits for other changes of this person's filters: two at once would else both be the active one. */
export const lockFilters = async (db: Db, person: Person): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`saved-filters ${person.clientId} ${person.userId}`}, 0))`.execute(
    db,
  );
};
