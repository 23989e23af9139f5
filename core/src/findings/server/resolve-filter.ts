import { sql } from 'kysely';
import type { Db } from '../../platform/server/database.ts';
import { loadReferenceData } from '../../prioritisation/server/index.ts';
import { hasBranches } from '../../repositories/server/index.ts';
import type { FindingFilters } from '../model/filters.ts';
import { DEFAULT_SLA_DAYS, type SlaDays } from '../model/sla.ts';
import { withBranches } from './branch-conditions.ts';
import { type Condition, conditionsOf, type FilterConditions, without } from './filter-conditions.ts';
import type { IdSet } from './id-set.ts';
import { findDefinitions } from './queries/find-definitions.ts';
import { readSlaDays } from './queries/read-sla-days.ts';
import { searchDictionaries } from './queries/search-dictionaries.ts';
import type { Viewer } from './viewer.ts';

/** What a list, facet or chart is asked for. */
export interface FindingsRequest {
  viewer: Viewer;
  filters: FindingFilters;
  /** Free text; empty for none. */
  search: string;
}

/** A filter whose words have been looked up in the dictionaries. */
export interface NarrowedFilter {
  viewer: Viewer;
  /** As asked for. */
  filters: FindingFilters;
  conditions: FilterConditions;
  /** Sets that all hold the definition of a finding. */
  definitions: IdSet[];
  /** Where free text names files too: a finding's definition or file is in one of the two. */
  search: { definitions: IdSet; files: IdSet } | undefined;
  /** Days that the organisation allows; the default where nothing is asked of them. */
  slaDays: SlaDays;
  /** True when no finding can match. */
  isEmpty: boolean;
}

/** Who has no other branches, and asks for none, pays nothing for them. */
const conditionsWithBranches = async (
  db: Db,
  { filters, viewer }: FindingsRequest,
  slaDays: SlaDays,
): Promise<FilterConditions> => {
  const conditions = conditionsOf(filters, viewer, { reference: await loadReferenceData(), slaDays });
  const { clientId } = viewer;
  const isAsked = filters.branch !== undefined && filters.branch.length > 0;
  if (!isAsked && !(await hasBranches(db, clientId))) return conditions;
  return { ...conditions, sources: withBranches(conditions.sources, { clientId, filters }) };
};

/** Looks up the definition conditions and the free text of a request. `omit` leaves one facet's own condition out. */
export const resolveFilter = async (db: Db, request: FindingsRequest, omit?: string): Promise<NarrowedFilter> => {
  const { viewer } = request;
  const isSlaAsked = omit === 'sla' || (request.filters.sla ?? []).length > 0;
  const slaDays = isSlaAsked ? await readSlaDays(db, viewer.clientId) : DEFAULT_SLA_DAYS;
  const all = await conditionsWithBranches(db, request, slaDays);
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
    slaDays,
    isEmpty: definitions.some((set) => set.isEmpty),
  };
};

/** True where the rollups cannot tell: the rows themselves must be counted. */
export const needsRows = (filter: NarrowedFilter): boolean =>
  filter.search !== undefined || filter.conditions.rows.length > 0;

const eitherOf = (search: { definitions: IdSet; files: IdSet }): Condition =>
  search.definitions.isEmpty
    ? search.files.holds('f.file_id')
    : sql<boolean>`(${search.definitions.holds('f.definition_id')} or ${search.files.holds('f.file_id')})`;

/** True where a filter says more than cells can answer. */
export const isNarrowed = (filter: NarrowedFilter): boolean => needsRows(filter) || filter.definitions.length > 0;

/** Conditions on findings as `f` besides the cell. */
export const rowConditionsOf = (filter: NarrowedFilter): Condition[] => [
  ...filter.definitions.map((set) => set.holds('f.definition_id')),
  ...(filter.search === undefined ? [] : [eitherOf(filter.search)]),
  ...without(filter.conditions.rows),
];
