import { type RawBuilder, sql } from 'kysely';
import {
  allOf,
  cellConditions,
  countedCells,
  type FindingsRequest,
  needsRows,
  type ResolvedFilter,
  readUsernames,
  resolveFilter,
  rowConditionsOf,
  setPlannerHints,
} from '../../findings/server/index.ts';
import type { Db } from '../../platform/server/database.ts';
import { loadReferenceData } from '../../prioritisation/server/index.ts';
import { CICD_RISKS, chosenOf, type OwaspEdition, owaspIds, SLSA_THREATS, SUPPLY_CHAIN } from '../model/charts.ts';
import { chartBySeverity, type Label, type LabelChart, type ReadChart, sumOf } from './chart-of-labels.ts';
import { BY_SEVERITY_ALONE, type CellCount, countByCell } from './count-by-cell.ts';

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
const countsOf = (filter: ResolvedFilter): RawBuilder<unknown> => {
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
  request: { filter: ResolvedFilter; by: Taxonomy },
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

/** Names of at most 200 repositories by id. Reads repositories by primary key. */
export const readRepositoryNames = async (
  db: Db,
  request: { clientId: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, string>> => {
  if (request.ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('repositories')
    .select(['id', 'nickname'])
    .where('client_id', '=', request.clientId)
    .where('id', 'in', [...request.ids])
    .limit(200)
    .execute();
  return new Map(rows.map((row) => [row.id, row.nickname]));
};

/** The most repositories that a chart names; a filter takes no more either. */
const MAX_REPOSITORIES = 200;

const steer = (db: Db, filter: ResolvedFilter): Promise<void> =>
  setPlannerHints(db, needsRows(filter) ? 'free' : 'rollups');

/** Findings under the filters, counted once each. */
const countTotal = async (db: Db, filter: ResolvedFilter): Promise<number> => {
  if (filter.isEmpty) return 0;
  await steer(db, filter);
  return sumOf(await countByCell(db, { filter, by: BY_SEVERITY_ALONE }));
};

/** Names of ids of a client, at most 200. */
type ReadNames = (
  db: Db,
  request: { clientId: string; ids: readonly string[] },
) => Promise<ReadonlyMap<string, string>>;

/** Findings by what a filter of ids names, most first; those that have none are left out. */
const chartByIds = async (
  db: Db,
  request: FindingsRequest,
  chart: { key: 'repository' | 'issue_owner'; by: RawBuilder<string>; readNames: ReadNames },
): Promise<LabelChart> => {
  const filter = await resolveFilter(db, request);
  await steer(db, filter);
  const all = filter.isEmpty ? [] : await countByCell(db, { filter, by: chart.by });
  await setPlannerHints(db, 'free');
  const counts = all.filter(({ value }) => value !== '');
  const sums = new Map<string, number>();
  for (const { value, count } of counts) sums.set(value, (sums.get(value) ?? 0) + count);
  const ids = [...sums]
    .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .slice(0, MAX_REPOSITORIES)
    .map(([id]) => id);
  const names = await chart.readNames(db, { clientId: request.viewer.clientId, ids });
  const labels = ids.map((id): Label => ({ text: names.get(id) ?? id, value: id, filters: { [chart.key]: [id] } }));
  return chartBySeverity(labels, counts, sumOf(all));
};

const readRepositoriesChart: ReadChart = (db, request) =>
  chartByIds(db, request, { key: 'repository', by: sql`k.repository_id::text`, readNames: readRepositoryNames });

/** The list cannot ask for findings that nobody owns, so the chart has no bar for them: `total` says how many there are in all. */
const readOwnersChart: ReadChart = (db, request) =>
  chartByIds(db, request, { key: 'issue_owner', by: sql`coalesce(s.issue_owner::text, '')`, readNames: readUsernames });

type TaxonomyFilter = 'owasp' | 'slsa_threats' | 'owasp_cicd';

/**
 * A finding may be in several categories, and the list asks for any of the values of a filter. So the chart leaves its own filter out and
 * shows only the categories that it names: each bar equals what the list shows when it is filtered by this category alone.
 */
const chartByTaxonomy = async (
  db: Db,
  request: FindingsRequest,
  chart: { key: TaxonomyFilter; by: Taxonomy; labels: readonly Label[] },
): Promise<LabelChart> => {
  const { key, by, labels } = chart;
  const total = await countTotal(db, await resolveFilter(db, request));
  const filter = await resolveFilter(db, request, key);
  await steer(db, filter);
  const counts = filter.isEmpty || labels.length === 0 ? [] : await countByDefinition(db, { filter, by });
  await setPlannerHints(db, 'free');
  return chartBySeverity(labels, counts, total);
};

const named = (ids: readonly string[], key: TaxonomyFilter, title: (id: string) => string | undefined): Label[] =>
  ids.map((id) => ({ text: [id, title(id)].filter(Boolean).join(' '), value: id, filters: { [key]: [id] } }));

export const readOwaspChart = async (db: Db, request: FindingsRequest, edition: OwaspEdition): Promise<LabelChart> => {
  const reference = await loadReferenceData();
  const ids = chosenOf(owaspIds(edition), request.filters.owasp);
  const labels = named(ids, 'owasp', (id) => reference.owaspTitle(id));
  return chartByTaxonomy(db, request, { key: 'owasp', by: edition === '2021' ? 'owasp_2021' : 'owasp_2025', labels });
};

const readSlsaThreatsChart = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const reference = await loadReferenceData();
  const ids = chosenOf(SLSA_THREATS, request.filters.slsa_threats);
  const labels = named(ids, 'slsa_threats', (id) => reference.supplyChainTitle(id));
  return chartByTaxonomy(db, request, { key: 'slsa_threats', by: 'slsa_threats', labels });
};

const readCicdRisksChart = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const reference = await loadReferenceData();
  const ids = chosenOf(CICD_RISKS, request.filters.owasp_cicd);
  const labels = named(ids, 'owasp_cicd', (id) => reference.supplyChainTitle(id));
  return chartByTaxonomy(db, request, { key: 'owasp_cicd', by: 'owasp_cicd', labels });
};

/** Parts of the supply chain, of which a filter by threats must name all. */
const readSupplyChainChart = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const chosen = request.filters.slsa_threats;
  const labels = Object.entries(SUPPLY_CHAIN)
    .filter(([, threats]) => chosenOf(threats, chosen).length === threats.length)
    .map(([name, threats]): Label => ({ text: name, value: name, filters: { slsa_threats: [...threats] } }));
  return chartByTaxonomy(db, request, { key: 'slsa_threats', by: 'supply_chain', labels });
};

/** The charts without choices that are counted here, by their keys in `api/chart-routes.ts`. */
export const LABEL_CHARTS = {
  repositories: readRepositoriesChart,
  owners: readOwnersChart,
  supplyChain: readSupplyChainChart,
  slsa: readSlsaThreatsChart,
  cicd: readCicdRisksChart,
} satisfies Readonly<Record<string, ReadChart>>;
