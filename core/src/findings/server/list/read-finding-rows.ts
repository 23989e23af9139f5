import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { loadReferenceData, type ReferenceData } from '../../../prioritisation/server/index.ts';
import { type OnDemandKey, ROW_KEYS } from '../../model/column-catalogue.ts';
import {
  type FindingRowAttributes,
  joinsOf,
  type RowAttribute,
  type StoredAttributes,
  selectedAttributes,
  toWire,
} from './row-attributes.ts';

/** A row of the list. Long texts are there where they were asked for. */
export interface FindingItem {
  _id: string;
  attributes: FindingRowAttributes & Partial<Pick<StoredAttributes, OnDemandKey>>;
}

/** The attributes that were asked for, as stored. */
export type StoredRow<Name extends RowAttribute> = { _id: string } & Pick<StoredAttributes, Name>;

interface RowsRequest {
  clientId: string;
  ids: readonly string[];
}

/** Each id is looked up in the primary key: where `offset 0` is missing, the planner scans another index over all findings. */
const rowsOf = (
  { clientId, ids }: RowsRequest,
  names: readonly RowAttribute[],
  reference: ReferenceData,
): RawBuilder<unknown> => sql`
  select f.id as _id${names.length === 0 ? sql`` : sql`, ${selectedAttributes(names, reference)}`}
  from unnest(${[...ids]}::uuid[]) wanted (id)
  cross join lateral (select * from findings where client_id = ${clientId} and id = wanted.id offset 0) f
  ${joinsOf(names, clientId)} limit 10000`;

const inOrder = <Row extends { _id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] => {
  if (rows.length === ids.length && rows.every((row, place) => row._id === ids[place])) return [...rows];
  const byId = new Map(rows.map((row) => [row._id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** What is asked for of at most 10,000 findings, in the order of the ids. Reads findings and its dictionaries by primary key. */
export const readStoredRows = async <Name extends RowAttribute>(
  db: Db,
  request: RowsRequest & { names: readonly Name[] },
): Promise<StoredRow<Name>[]> => {
  if (request.ids.length === 0) return [];
  const found = await sql<StoredRow<Name>>`${rowsOf(request, request.names, await loadReferenceData())}`.execute(db);
  return inOrder(request.ids, found.rows);
};

/** List rows of at most 10,000 ids, in the order of the ids: whole but for the long texts, or with the named attributes only. */
export const readFindingRows = async (
  db: Db,
  request: RowsRequest & { names?: readonly RowAttribute[] },
): Promise<FindingItem[]> => {
  const rows = await readStoredRows(db, { ...request, names: request.names ?? ROW_KEYS });
  return rows.map(({ _id, ...row }) => ({ _id, attributes: toWire<FindingItem['attributes']>(row) }));
};
