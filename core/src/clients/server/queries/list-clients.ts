import { sql } from 'kysely';
import { type Db, likePattern } from '../../../platform/server/database.ts';
import '../../../session/server/index.ts';
import '../tables.ts';

export interface ClientFilter {
  /** Words of the name; empty for none. */
  organizationName: string;
  /** Words of the name, the legal name, or the e-mail of a user; empty for none. */
  search: string;
}

export interface ClientPage {
  offset: number;
  pageSize: number;
  sortField: 'organization_name' | 'account_setup_at' | '_id';
  sort: 'asc' | 'desc';
}

const ORDER = {
  organization_name: sql`lower(organization_name)`,
  account_setup_at: sql`account_setup_at`,
  _id: sql`id`,
} as const;

const matching = (db: Db, { organizationName, search }: ClientFilter) => {
  let query = db.selectFrom('clients');
  if (organizationName !== '') {
    query = query.where(sql<boolean>`lower(organization_name) like lower(${likePattern(organizationName)})`);
  }
  if (search !== '') {
    const pattern = sql`lower(${likePattern(search)})`;
    query = query.where(sql<boolean>`(lower(organization_name) like ${pattern} or lower(legal_name) like ${pattern}
      or exists (select from users u where u.client_id = clients.id and lower(u.email) like ${pattern}))`);
  }
  return query;
};

/** A page of all clients, of which there are few. For `forIdentity` only: elsewhere it finds the one client of the transaction. */
export const listClients = (db: Db, filter: ClientFilter, page: ClientPage): Promise<string[]> =>
  matching(db, filter)
    .select('id')
    .orderBy(ORDER[page.sortField], page.sort)
    .orderBy('id', page.sort)
    .offset(page.offset)
    .limit(page.pageSize)
    .execute()
    .then((rows) => rows.map((row) => row.id));

/** How many clients match. */
export const countClients = async (db: Db, filter: ClientFilter): Promise<number> => {
  const row = await matching(db, filter).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return row.total;
};
