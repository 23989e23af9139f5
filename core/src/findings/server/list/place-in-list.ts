import { sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import { conditionsOnFindings } from '../counts/count-row-facets.ts';
import { allOf } from '../filter/conditions.ts';
import { setPlannerHints } from '../filter/planner-hints.ts';
import { type FindingsRequest, resolveFilter } from '../filter/resolve-filter.ts';
import { maySee } from '../filter/viewer.ts';

/** Where a finding stands in a list by priority, highest first. */
export interface PlaceInList {
  /** 1 for the first; null where the list does not have it. */
  place: number | null;
  total: number;
  previous: string | null;
  next: string | null;
}

/**
 * The place of a finding in the default order of a filtered list, with its neighbours. Index: findings_by_priority, from which what comes
 * before is counted without reading rows. @throws finding_not_found, also where the viewer may not see it.
 */
export const readPlaceInList = async (db: Db, request: FindingsRequest & { id: string }): Promise<PlaceInList> => {
  const { viewer, id } = request;
  const { rows: known } = await sql<{ priority: number }>`
    select f.priority from findings f
    where f.client_id = ${viewer.clientId} and f.id = ${id} and ${maySee(viewer)}`.execute(db);
  const own = known[0];
  if (own === undefined) throw new AppError('finding_not_found');
  const filter = await resolveFilter(db, request);
  if (filter.isEmpty) return { place: null, total: 0, previous: null, next: null };
  await setPlannerHints(db, 'free');
  const listed = allOf(conditionsOnFindings(filter));
  const key = sql`(${own.priority}::real, ${id}::uuid)`;
  const { rows } = await sql<PlaceInList & { is_listed: boolean }>`
    select exists (select from findings f where f.id = ${id} and ${listed}) as is_listed,
      (select count(*)::integer + 1 from findings f where (f.priority, f.id) > ${key} and ${listed}) as place,
      (select count(*)::integer from findings f where ${listed}) as total,
      (select f.id from findings f where (f.priority, f.id) > ${key} and ${listed} order by f.priority, f.id limit 1) as previous,
      (select f.id from findings f where (f.priority, f.id) < ${key} and ${listed} order by f.priority desc, f.id desc limit 1) as next`.execute(
    db,
  );
  const [found] = rows;
  if (found === undefined) throw new Error('A statement without a table always gives a row.');
  const { is_listed: isListed, place, ...rest } = found;
  return { place: isListed ? place : null, ...rest };
};
