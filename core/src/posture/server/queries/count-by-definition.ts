import { type RawBuilder, sql } from 'kysely';
import {
  allOf,
  cellConditions,
  countedCells,
  type NarrowedFilter,
  needsRows,
  rowConditionsOf,
} from '../../../findings/server/index.ts';
import type { Db } from '../../../platform/server/database.ts';
import { SUPPLY_CHAIN } from '../../model/taxonomies.ts';
import type { CellCount } from './count-by-cell.ts';

const parts = sql.join(Object.entries(SUPPLY_CHAIN).map(([name, threats]) => sql`(${name}, ${[...threats]}::text[])`));

/** Places of a definition `x`, each at most once, as `place.id`. */
const PLACES = {
  owasp_2025: sql`(select x.owasp_2025 where x.owasp_2025 is not null)`,
  owasp_2021: sql`(select x.owasp_2021 where x.owasp_2021 is not null)`,
  slsa_threats: sql`(select distinct unnest(x.slsa_threats))`,
  owasp_cicd: sql`(select distinct unnest(x.owasp_cicd))`,
  supply_chain: sql`(select part.name from (values ${parts}) part (name, threats) where x.slsa_threats && part.threats)`,
} satisfies Record<string, RawBuilder<unknown>>;

export type Taxonomy = keyof typeof PLACES;

/** Findings by definition and severity under a filter. */
const countsOf = (filter: NarrowedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const cells = sql`select c.cell, k.severity from ${countedCells(clientId)}
    where c.client_id = ${clientId} and c.count > 0 and ${allOf(cellConditions(filter))}`;
  if (needsRows(filter)) {
    return sql`select f.definition_id, u.severity, count(*) as count from findings f join (${cells}) u on u.cell = f.cell
      where f.client_id = ${clientId} and ${allOf(rowConditionsOf(filter))} group by 1, 2`;
  }
  const among = filter.definitions.map((set) => sql<boolean>`n.definition_id = any(${set.array})`);
  return sql`select n.definition_id, u.severity, sum(n.count) as count
    from aggregate_definitions n join (${cells}) u on u.cell = n.cell
    where n.client_id = ${clientId} and ${allOf(among)} group by 1, 2`;
};

/**
 * Findings by a taxonomy of their definitions and by severity. Reads aggregate_definitions by client; rows only for ranges, files and
 * free text.
 */
export const countByDefinition = async (
  db: Db,
  request: { filter: NarrowedFilter; by: Taxonomy },
): Promise<CellCount[]> => {
  const { filter, by } = request;
  const counted = await sql<CellCount>`
    with by_definition as materialized (${countsOf(filter)})
    select place.id as value, n.severity, sum(n.count)::bigint as count
    from by_definition n
    join finding_definitions x on x.client_id = ${filter.viewer.clientId} and x.id = n.definition_id
    cross join lateral ${PLACES[by]} place (id)
    group by 1, 2`.execute(db);
  return counted.rows;
};
