import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';

/** How one person sees the list of findings. */
export interface ViewSettings {
  /** Null: nothing chosen. */
  columns: string[] | null;
  widths: Record<string, number>;
  useSavedFilter: boolean;
}

type Person = Pick<Caller, 'clientId' | 'userId'>;

/** Reads finding_view_settings by primary key. */
export const readViewSettings = async (db: Db, { clientId, userId }: Person): Promise<ViewSettings> => {
  const row = await db
    .selectFrom('finding_view_settings')
    .select(['columns', 'widths', 'use_saved_filter'])
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return { columns: row?.columns ?? null, widths: row?.widths ?? {}, useSavedFilter: row?.use_saved_filter ?? true };
};

/** Writes what is given, and leaves the rest as it is. */
export const writeViewSettings = async (db: Db, person: Person, change: Partial<ViewSettings>): Promise<void> => {
  const columns = change.columns === undefined ? {} : { columns: change.columns };
  const widths =
    change.widths === undefined ? {} : { widths: sql<Record<string, number>>`${JSON.stringify(change.widths)}::jsonb` };
  const use = change.useSavedFilter === undefined ? {} : { use_saved_filter: change.useSavedFilter };
  const values = { client_id: person.clientId, user_id: person.userId, ...columns, ...widths, ...use };
  await db
    .insertInto('finding_view_settings')
    .values(values)
    .onConflict((of) => of.columns(['client_id', 'user_id']).doUpdateSet(values))
    .execute();
};
