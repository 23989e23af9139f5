import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { type Caller, type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import { getColumns, saveColumns } from '../../api/columns-routes.ts';
import { SORT_FIELDS } from '../../api/routes.ts';
import {
  COLUMN_KEYS,
  type ColumnKey,
  columnInfo,
  DEFAULT_COLUMNS,
  usableColumns,
} from '../../model/column-catalogue.ts';

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

const sortable: ReadonlySet<string> = new Set(SORT_FIELDS);

const columnsOf = (keys: readonly ColumnKey[], widths: Record<string, number>) =>
  keys.map((key, index) => {
    const { label, sort } = columnInfo(key);
    return { key, label, sort: sortable.has(sort) ? sort : null, index, width: widths[key] ?? null };
  });

/** Keys of the columns that a person sees, in order. */
export const shownColumns = async (db: Db, person: Pick<Caller, 'clientId' | 'userId'>): Promise<ColumnKey[]> => {
  const { columns } = await readViewSettings(db, person);
  return columns === null ? [...DEFAULT_COLUMNS] : usableColumns(columns);
};

const readColumns = async (db: Db, caller: Caller) => {
  const { columns, widths } = await readViewSettings(db, caller);
  return {
    default: columnsOf(DEFAULT_COLUMNS, {}),
    selected: columnsOf(columns === null ? DEFAULT_COLUMNS : usableColumns(columns), widths),
    available: columnsOf(COLUMN_KEYS, widths),
  };
};

/** The columns of the list, kept for each person. */
export const columnsEndpoints = (): Endpoint[] => [
  tenantEndpoint(getColumns)(async ({ db, caller }) => ({ data: await readColumns(db, caller) })),
  tenantEndpoint(saveColumns)(async ({ db, caller, body }) => {
    await writeViewSettings(db, caller, {
      columns: body.columns.length === 0 ? null : usableColumns(body.columns),
      ...(body.widths === undefined ? {} : { widths: body.widths }),
    });
    return { success: true, data: await readColumns(db, caller) };
  }),
];
