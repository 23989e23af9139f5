import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { Db } from '../../../platform/server/database.ts';
import type { FindingSet } from '../../api/verdict-routes.ts';
import { conditionsOnFindings } from '../counts/count-row-facets.ts';
import { allOf } from '../filter/conditions.ts';
import { resolveFilter } from '../filter/resolve-filter.ts';
import type { Viewer } from '../filter/viewer.ts';

export interface MeantSets {
  groups: readonly Static<typeof FindingSet>[];
  /** Findings besides, which `decide` checks as it checks those of any request. */
  ids?: readonly string[] | undefined;
}

const idsOfSet = async (db: Db, viewer: Viewer, set: Static<typeof FindingSet>): Promise<RawBuilder<unknown>> => {
  const filter = await resolveFilter(db, { viewer, filters: set.filters, search: set.search ?? '' });
  const except = set.except ?? [];
  const conditions = filter.isEmpty ? [sql<boolean>`false`] : conditionsOnFindings(filter);
  const others = except.length === 0 ? [] : [sql<boolean>`f.id <> all(${[...except]}::uuid[])`];
  return sql`select f.id from findings f where ${allOf([...conditions, ...others])}`;
};

/** Ids of the findings that several filters find together, each once. Indexes: those of each filter, as in a list of it. */
export const findSets = async (
  db: Db,
  viewer: Viewer,
  { groups, ids = [] }: MeantSets,
): Promise<RawBuilder<unknown>> => {
  const parts: RawBuilder<unknown>[] = [];
  for (const set of groups) parts.push(await idsOfSet(db, viewer, set));
  if (ids.length > 0) parts.push(sql`select u.id from unnest(${[...ids]}::uuid[]) u (id)`);
  return sql.join(parts, sql` union `);
};

/** How many they are, and the first of them. */
export const readSets = async (
  db: Db,
  viewer: Viewer,
  { limit, ...meant }: MeantSets & { limit: number },
): Promise<{ ids: string[]; total: number }> => {
  const all = await findSets(db, viewer, meant);
  const found = await sql<{ ids: string[]; total: number }>`
    with meant as materialized (${all})
    select (select count(*) from meant) as total,
      array(select id from meant order by id limit ${limit})::text[] as ids`.execute(db);
  return found.rows[0] ?? { ids: [], total: 0 };
};
