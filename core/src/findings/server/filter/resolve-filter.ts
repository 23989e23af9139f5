import { sql } from 'kysely';
import { type Db, likePattern } from '../../../platform/server/database.ts';
import { type ControlMatch, loadFrameworks, loadReferenceData } from '../../../prioritisation/server/index.ts';
import { hasBranches } from '../../../repositories/server/index.ts';
import type { FindingFilters } from '../../model/filter-catalogue.ts';
import { DEFAULT_SLA_RULES, type SlaRules } from '../../model/sla.ts';
import { allOf, type Condition, FEW_IDS, type IdSet, idSetOf, without } from './conditions.ts';
import { matchesOf } from './control-sql.ts';
import { conditionsOf, type FilterConditions, withBranches } from './filter-conditions.ts';
import type { Viewer } from './viewer.ts';

/** Days that an organisation allows for each severity, and from when they count. Reads sla_days by primary key. */
export const readSlaRules = async (db: Db, clientId: string): Promise<SlaRules> => {
  const stored = await db
    .selectFrom('sla_days')
    .select(['critical', 'high', 'medium', 'low', 'informational', 'starts'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return stored ?? DEFAULT_SLA_RULES;
};

/** Definitions of a client that meet all conditions on `x`. Reads the client's definitions by primary key: thousands, not millions. */
export const findDefinitions = async (
  db: Db,
  request: { clientId: string; conditions: readonly Condition[] },
): Promise<IdSet> => {
  const all = sql`select x.id from finding_definitions x where x.client_id = ${request.clientId} and ${allOf(request.conditions)}`;
  const found = await sql<{ id: number }>`${all} limit ${FEW_IDS + 1}`.execute(db);
  return idSetOf(
    found.rows.map((row) => row.id),
    all,
  );
};

/** More than any client has: a bound for the functions, not for the result. */
const NO_LIMIT = 2_000_000_000;

/**
 * Definitions and files whose text holds the words, upper and lower case alike. Reads finding_definitions_search and
 * finding_files_search (trigrams) through functions that keep the client.
 */
export const searchDictionaries = async (
  db: Db,
  request: { text: string },
): Promise<{ definitions: IdSet; files: IdSet }> => {
  const pattern = sql`lower(${likePattern(request.text)})`;
  const found = await sql<{ definitions: number[]; files: number[] }>`
    select array(select search_definitions(${pattern}, ${FEW_IDS + 1}))::float8[] as definitions,
      array(select search_files(${pattern}, ${FEW_IDS + 1}))::float8[] as files`.execute(db);
  const row = found.rows[0];
  return {
    definitions: idSetOf(row?.definitions ?? [], sql`select search_definitions(${pattern}, ${NO_LIMIT})`),
    files: idSetOf(row?.files ?? [], sql`select search_files(${pattern}, ${NO_LIMIT})`),
  };
};

/** What a list, facet or chart is asked for. */
export interface FindingsRequest {
  viewer: Viewer;
  filters: FindingFilters;
  /** Free text; empty for none. */
  search: string;
}

/** A filter whose words have been looked up in the dictionaries. */
export interface ResolvedFilter {
  viewer: Viewer;
  /** As asked for. */
  filters: FindingFilters;
  conditions: FilterConditions;
  /** Sets that all hold the definition of a finding. */
  definitions: IdSet[];
  /** Where free text names files too: a finding's definition or file is in one of the two. */
  search: { definitions: IdSet; files: IdSet } | undefined;
  /** Days that the organisation allows; the default where nothing is asked of them. */
  slaRules: SlaRules;
  /** What the filter by controls matches. */
  controls: readonly ControlMatch[];
  /** True when no finding can match. */
  isEmpty: boolean;
}

/** Who has no other branches, and asks for none, pays nothing for them. */
const conditionsWithBranches = async (
  db: Db,
  { filters, viewer }: FindingsRequest,
  slaRules: SlaRules,
): Promise<FilterConditions> => {
  const conditions = conditionsOf(filters, viewer, {
    reference: await loadReferenceData(),
    frameworks: await loadFrameworks(),
    slaRules,
  });
  const { clientId } = viewer;
  const isAsked = filters.branch !== undefined && filters.branch.length > 0;
  if (!isAsked && !(await hasBranches(db, clientId))) return conditions;
  return { ...conditions, sources: withBranches(conditions.sources, { clientId, filters }) };
};

/** Looks up the definition conditions and the free text of a request. `omit` leaves one facet's own condition out. */
export const resolveFilter = async (db: Db, request: FindingsRequest, omit?: string): Promise<ResolvedFilter> => {
  const { viewer } = request;
  const isSlaAsked = omit === 'sla' || (request.filters.sla ?? []).length > 0;
  const slaRules = isSlaAsked ? await readSlaRules(db, viewer.clientId) : DEFAULT_SLA_RULES;
  const all = await conditionsWithBranches(db, request, slaRules);
  const conditions = { ...all, rows: all.rows.filter(({ key }) => key !== omit) };
  const definitions: IdSet[] = [];
  const onDefinitions = without(conditions.definitions, omit);
  if (onDefinitions.length > 0) {
    definitions.push(await findDefinitions(db, { clientId: viewer.clientId, conditions: onDefinitions }));
  }
  const text = request.search.trim();
  const found = text === '' ? undefined : await searchDictionaries(db, { text });
  if (found?.files.isEmpty) definitions.push(found.definitions);
  return {
    viewer,
    filters: request.filters,
    conditions,
    definitions,
    search: found?.files.isEmpty ? undefined : found,
    slaRules,
    controls: matchesOf(await loadFrameworks(), request.filters.control ?? []),
    isEmpty: definitions.some((set) => set.isEmpty),
  };
};

/** True where the rollups cannot tell: the rows themselves must be counted. */
export const needsRows = (filter: ResolvedFilter): boolean =>
  filter.search !== undefined || filter.conditions.rows.length > 0;

const eitherOf = (search: { definitions: IdSet; files: IdSet }): Condition =>
  search.definitions.isEmpty
    ? search.files.holds('f.file_id')
    : sql<boolean>`(${search.definitions.holds('f.definition_id')} or ${search.files.holds('f.file_id')})`;

/** True where a filter says more than cells can answer. */
export const isNarrowed = (filter: ResolvedFilter): boolean => needsRows(filter) || filter.definitions.length > 0;

/** Conditions on findings as `f` besides the cell. */
export const rowConditionsOf = (filter: ResolvedFilter): Condition[] => [
  ...filter.definitions.map((set) => set.holds('f.definition_id')),
  ...(filter.search === undefined ? [] : [eitherOf(filter.search)]),
  ...without(filter.conditions.rows),
];
