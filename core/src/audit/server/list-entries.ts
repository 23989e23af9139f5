import { type SelectQueryBuilder, sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { isTimeZone } from '../../platform/model/locale.ts';
import { msg } from '../../platform/model/message.ts';
import { type Database, type Db, likePattern } from '../../platform/server/database.ts';
import type { AuditFilters } from '../api/routes.ts';

export interface EntriesRequest {
  clientId: string;
  filters: AuditFilters;
  /** Words of the actor, the subject or the address; empty for none. */
  search: string;
  /** Id of the last entry that was read; undefined for the newest. */
  after: string | undefined;
  limit: number;
}

type Query = SelectQueryBuilder<Database, 'audit_entries', object>;

const NO_ZONE = msg('There is no such time zone. Name one as in Europe/Berlin.');

/** @throws validation_failed for a time zone that there is not */
const narrowed = (query: Query, filters: AuditFilters): Query => {
  const { kind = [], actor = [], date_gt, date_lt } = filters;
  const { time_zone: zone = 'UTC' } = filters;
  if (!isTimeZone(zone)) {
    const issue = { loc: ['query', 'filters', 'time_zone'], msg: NO_ZONE, type: 'time_zone' };
    throw new AppError('validation_failed', undefined, { issues: [issue] });
  }
  let rows = query;
  // index: audit_entries_kind
  if (kind.length > 0) rows = rows.where('kind', 'in', kind);
  // index: audit_entries_actor
  if (actor.length > 0) rows = rows.where('actor_id', 'in', actor);
  if (date_gt !== undefined)
    rows = rows.where('at', '>=', sql<Date>`${date_gt}::date::timestamp at time zone ${zone}::text`);
  if (date_lt !== undefined)
    rows = rows.where('at', '<', sql<Date>`(${date_lt}::date + 1)::timestamp at time zone ${zone}::text`);
  return rows;
};

/** Entries of the audit log that match, newest first. Walks the primary key backwards, or the index of the filter. */
export const listEntries = (db: Db, { clientId, filters, search, after, limit }: EntriesRequest) => {
  let rows = narrowed(db.selectFrom('audit_entries').where('client_id', '=', clientId), filters);
  if (search !== '') {
    const pattern = sql`lower(${likePattern(search)})`;
    rows = rows.where(
      sql<boolean>`(lower(actor) like ${pattern} or lower(subject) like ${pattern} or coalesce(address, '') like ${pattern})`,
    );
  }
  if (after !== undefined) rows = rows.where('id', '<', after);
  return rows
    .select(['id', 'at', 'kind', 'actor', 'actor_id', 'actor_type', 'address', 'agent', 'subject', 'details'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
};

export type EntryRow = Awaited<ReturnType<typeof listEntries>>[number];
