import { type RawBuilder, sql } from 'kysely';
import { FINDING_STATUSES, VERDICTS } from '../model/states.ts';

/** Orders by what cells know, then by priority. */
export type RankedField = 'status' | 'verdict' | 'type' | 'tool' | 'category' | 'language' | 'repository' | 'kev';

const position = (list: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`coalesce(array_position(${list}, ${value}), 0)`;

/** All values of the client in the order of their letters, read once a query: aggregate_sources has some thousand rows. */
const valuesOf = (column: 'type' | 'tool' | 'category' | 'language'): RawBuilder<unknown> => sql`(
  select array_agg(d.value order by lower(d.value) collate "C", d.value collate "C")
  from (select distinct x.${sql.ref(column)} as value from aggregate_sources x where x.client_id = current_client()) d)`;

const REPOSITORIES = sql`(select array_agg(r.id order by lower(r.nickname) collate "C", r.id) from repositories r where r.client_id = current_client())`;

/** A repository, or that of a branch, whose id stands in its place. */
const repositoryOf = (column: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce(
  (select b.repository_id from repository_branches b where b.client_id = current_client() and b.id = ${column}), ${column})`;

/** Place of a value among all, from 1; statuses and verdicts as work goes on, the rest by letters. `k` and `s` name the tables of sources and dispositions. */
export const rankOf = (field: RankedField, source: 'k' | 'f', disposition: 's' | 'f'): RawBuilder<number> => {
  switch (field) {
    case 'status':
      return position(sql`${[...FINDING_STATUSES]}::text[]`, sql.ref(`${disposition}.status`));
    case 'verdict':
      return position(sql`${[...VERDICTS]}::text[]`, sql.ref(`${disposition}.verdict`));
    case 'kev':
      return sql<number>`${sql.ref(`${source}.kev`)}::integer`;
    case 'repository':
      return position(REPOSITORIES, repositoryOf(sql.ref(`${source}.repository_id`)));
    default:
      return position(valuesOf(field), sql.ref(`${source}.${field}`));
  }
};
