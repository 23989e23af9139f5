import type { Db } from '../../../platform/server/database.ts';
import { loadReferenceData } from '../../../prioritisation/server/index.ts';
import { labelFacet } from '../../model/facet-labels.ts';
import { type FacetKey, facetSource } from '../../model/filter-catalogue.ts';
import { readNicknames, readUsernames } from '../filter/names.ts';
import { setPlannerHints } from '../filter/planner-hints.ts';
import {
  type FindingsRequest,
  isNarrowed,
  needsRows,
  type ResolvedFilter,
  resolveFilter,
} from '../filter/resolve-filter.ts';
import { countCellFacets, type FacetCount } from './count-aggregate-facets.ts';
import { countDefinitionFacets, MAX_FACET_VALUES } from './count-definition-facets.ts';
import { countRowFacet, type RowFacetKey } from './count-row-facets.ts';

/** What options are wanted for. */
export interface FacetRequest extends FindingsRequest {
  /** Words that an option's value must have; empty for all. */
  optionText?: string;
}

export interface FacetOption {
  value: string;
  label: string;
  count: number;
}

const PERSON_KEYS: readonly string[] = ['developer', 'issue_owner', 'review_requested_by_id'];

/** Definition facets by the condition that each must leave out; those without one of their own are counted together. */
const definitionRounds = (request: FindingsRequest, keys: readonly FacetKey[]): { omit?: string; keys: string[] }[] => {
  const wanted = keys.filter((key) => facetSource(key) === 'definition');
  const own = new Set(Object.entries(request.filters).flatMap(([key, value]) => (value === undefined ? [] : [key])));
  const shared = wanted.filter((key) => !own.has(key));
  return [
    ...(shared.length === 0 ? [] : [{ keys: shared }]),
    ...wanted.filter((key) => own.has(key)).map((key) => ({ omit: key, keys: [key] })),
  ];
};

const isRowFacet = (key: FacetKey): key is RowFacetKey => facetSource(key) === 'row';

/** Facets whose condition is on rows are counted one by one, each without its own. */
const countRowFacets = async (db: Db, request: FacetRequest, keys: readonly FacetKey[]): Promise<FacetCount[]> => {
  const counts: FacetCount[] = [];
  for (const key of keys.filter(isRowFacet)) {
    const narrowed = await resolveFilter(db, request, key);
    if (narrowed.isEmpty) continue;
    await setPlannerHints(db, isNarrowed(narrowed) ? 'free' : 'rollups');
    counts.push(
      ...(await countRowFacet(db, withoutOwnDisposition(narrowed, key), { key, text: request.optionText ?? '' })),
    );
  }
  return counts;
};

/** An sla filter asks for open findings too; its own facet asks anew. */
const withoutOwnDisposition = (filter: ResolvedFilter, key: string): ResolvedFilter => ({
  ...filter,
  conditions: {
    ...filter.conditions,
    dispositions: filter.conditions.dispositions.filter((condition) => condition.key !== key),
  },
});

const countAll = async (db: Db, request: FacetRequest, keys: readonly FacetKey[]): Promise<FacetCount[]> => {
  const filter = await resolveFilter(db, request);
  const reference = await loadReferenceData();
  const plan = needsRows(filter) ? 'free' : 'rollups';
  await setPlannerHints(db, plan);
  const ofCells = keys.filter((key) => ['source', 'disposition'].includes(facetSource(key)));
  const counts = filter.isEmpty ? [] : await countCellFacets(db, filter, ofCells);
  for (const round of definitionRounds(request, keys)) {
    const narrowed = round.omit === undefined ? filter : await resolveFilter(db, request, round.omit);
    if (!narrowed.isEmpty)
      counts.push(
        ...(await countDefinitionFacets(db, narrowed, { keys: round.keys, reference, text: request.optionText ?? '' })),
      );
  }
  counts.push(...(await countRowFacets(db, request, keys)));
  await setPlannerHints(db, 'free');
  return counts;
};

/**
 * Values of the asked filters with the findings each would leave, under all other filters and the free text; the most
 * frequent 200 of each.
 */
export const readFacets = async (
  db: Db,
  request: FacetRequest,
  keys: readonly FacetKey[],
): Promise<Record<string, FacetOption[]>> => {
  const counts = await countAll(db, request, keys);
  const repositories = counts.filter((of) => of.key === 'repository').map((of) => of.value);
  const nicknames = await readNicknames(db, { clientId: request.viewer.clientId, ids: repositories });
  const people = counts.filter((of) => PERSON_KEYS.includes(of.key)).map((of) => of.value);
  const usernames = await readUsernames(db, { clientId: request.viewer.clientId, ids: people });
  const reference = await loadReferenceData();
  const names = {
    person: (id: string) => usernames.get(id),
    repository: (id: string) => nicknames.get(id),
    cwe: (id: number) => reference.cwe(id)?.name,
    owasp: (id: string) => reference.owaspTitle(id),
    supplyChain: (id: string) => reference.supplyChainTitle(id),
  };
  return Object.fromEntries(
    keys.map((key) => [
      key,
      counts
        .filter((of) => of.key === key && of.value !== '')
        .slice(0, MAX_FACET_VALUES)
        .map((of) => ({ ...labelFacet(key, of.value, names), count: of.count })),
    ]),
  );
};
