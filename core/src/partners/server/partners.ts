import { type Selectable, sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { say } from '../../platform/model/sentence.ts';
import type { Db } from '../../platform/server/database.ts';
import type { NewPartner, Partner, PartnerChange } from '../api/routes.ts';
import type { PartnersTable } from './tables.ts';
import './tables.ts';

/** More than anybody reads through. */
const MAX_PARTNERS = 500;

export interface PartnerItem {
  _id: string;
  attributes: Partner;
}

const COLUMNS = ['id', 'name', 'kind', 'description', 'website', 'email'] as const;

const partnerItem = ({
  id,
  ...attributes
}: Pick<Selectable<PartnersTable>, (typeof COLUMNS)[number]>): PartnerItem => ({ _id: id, attributes });

/** All partners by name. Index: partners_name. */
export const readPartners = async (db: Db): Promise<PartnerItem[]> => {
  const rows = await db.selectFrom('partners').select(COLUMNS).orderBy(sql`lower(name)`).limit(MAX_PARTNERS).execute();
  return rows.map(partnerItem);
};

/** @throws partner_not_found */
export const readPartner = async (db: Db, id: string): Promise<PartnerItem> => {
  const row = await db.selectFrom('partners').select(COLUMNS).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('partner_not_found');
  return partnerItem(row);
};

/** One writer at a time, so that neither a name nor a place is taken twice. */
const lockPartners = (db: Db) => sql`lock table partners in share row exclusive mode`.execute(db);

/** @throws conflict where another partner has that name */
const requireFreeName = async (db: Db, name: string, ownId?: string): Promise<void> => {
  const holder = await db
    .selectFrom('partners')
    .select('id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst();
  if (holder !== undefined && holder.id !== ownId) {
    throw new AppError('conflict', say('There is a partner "{name}" already.', { name }));
  }
};

/** @throws conflict where the name is taken, or there are too many */
export const addPartner = async (db: Db, { name, ...fields }: NewPartner): Promise<PartnerItem> => {
  const trimmed = name.trim();
  await lockPartners(db);
  await requireFreeName(db, trimmed);
  const { count } = await db
    .selectFrom('partners')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_PARTNERS) {
    throw new AppError('conflict', say('There are {most} partners. Delete one first.', { most: MAX_PARTNERS }));
  }
  const row = await db
    .insertInto('partners')
    .values({ ...fields, name: trimmed })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return partnerItem(row);
};

/** Changes the given fields. @throws partner_not_found, conflict */
export const changePartner = async (db: Db, id: string, { name, ...fields }: PartnerChange): Promise<PartnerItem> => {
  await lockPartners(db);
  if (name !== undefined) await requireFreeName(db, name.trim(), id);
  const row = await db
    .updateTable('partners')
    .set({ ...fields, ...(name === undefined ? {} : { name: name.trim() }), updated_at: sql`now()` })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('partner_not_found');
  return partnerItem(row);
};

/** @returns its name. @throws partner_not_found */
export const removePartner = async (db: Db, id: string): Promise<string> => {
  const row = await db.deleteFrom('partners').where('id', '=', id).returning('name').executeTakeFirst();
  if (row === undefined) throw new AppError('partner_not_found');
  return row.name;
};
