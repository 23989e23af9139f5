import { sql } from 'kysely';
import { type Db, likePattern } from '../../platform/server/database.ts';

export interface AccessesRequest {
  /** Words of the superadmin, the organisation or what was read; empty for none. */
  search: string;
  /** Id of the last entry that was read; undefined for the newest. */
  after: string | undefined;
  limit: number;
}

/** What superadmins read inside organisations, newest first. In `forIdentity`, where only these entries are seen. Index: audit_entries_accesses. */
export const readAccesses = (db: Db, { search, after, limit }: AccessesRequest) => {
  let rows = db
    .selectFrom('audit_entries as e')
    .innerJoin('clients as c', 'c.id', 'e.client_id')
    .where('e.kind', '=', 'superadmin.read');
  if (search !== '') {
    const pattern = sql`lower(${likePattern(search)})`;
    rows = rows.where(
      sql<boolean>`(lower(e.actor) like ${pattern} or lower(c.organization_name) like ${pattern} or lower(e.details->>'path') like ${pattern})`,
    );
  }
  if (after !== undefined) rows = rows.where('e.id', '<', after);
  return rows
    .select([
      'e.id',
      'e.at',
      'e.kind',
      'e.actor',
      'e.actor_id',
      'e.actor_type',
      'e.address',
      'e.agent',
      'e.subject',
      'e.details',
    ])
    .select(['e.client_id', 'c.organization_name'])
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute();
};
