import type { Db } from '../../platform/server/database.ts';
import { loadReferenceData } from '../../prioritisation/server/index.ts';
import { labelFacet } from '../model/facet-labels.ts';
import { type FindingsRequest, narrowFilter, needsRows } from './narrow-filter.ts';
import { CUBE_FACETS, countCubeFacets, type FacetCount } from './queries/count-facets.ts';
import { countSubjectFacets, MAX_FACET_VALUES, SUBJECT_FACET_KEYS } from './queries/count-subject-facets.ts';
import { readNicknames } from './queries/read-nicknames.ts';
import { steerPlanner } from './queries/steer-planner.ts';

export interface FacetOption {
  value: string;
  label: string;
  count: number;
}

/** Subject facets by the condition that each must leave out; those without one of their own are counted together. */
const subjectRounds = (request: FindingsRequest, keys: readonly string[]): { omit?: string; keys: string[] }[] => {
  const wanted = keys.filter((key) => SUBJECT_FACET_KEYS.includes(key));
  const own = new Set(Object.entries(request.filters).flatMap(([key, value]) => (value === undefined ? [] : [key])));
  const shared = wanted.filter((key) => !own.has(key));
  return [
    ...(shared.length === 0 ? [] : [{ keys: shared }]),
    ...wanted.filter((key) => own.has(key)).map((key) => ({ omit: key, keys: [key] })),
  ];
};

const countAll = async (db: Db, request: FindingsRequest, keys: readonly string[]): Promise<FacetCount[]> => {
  const filter = await narrowFilter(db, request);
  const plan = needsRows(filter) ? 'free' : 'rollups';
  await steerPlanner(db, plan);
  const ofCubes = keys.filter((key) => CUBE_FACETS.includes(key));
  const counts = filter.isEmpty ? [] : await countCubeFacets(db, filter, ofCubes);
  for (const round of subjectRounds(request, keys)) {
    const narrowed = round.omit === undefined ? filter : await narrowFilter(db, request, round.omit);
    if (!narrowed.isEmpty) counts.push(...(await countSubjectFacets(db, narrowed, round.keys)));
  }
  await steerPlanner(db, 'free');
  return counts;
};

/**
 * Values of the asked filters with the findings each would leave, under all other filters and the free text; the most
 * frequent 200 of each.
 */
export const readFacets = async (
  db: Db,
  request: FindingsRequest,
  keys: readonly string[],
): Promise<Record<string, FacetOption[]>> => {
  const counts = await countAll(db, request, keys);
  const repositories = counts.filter((of) => of.key === 'repository').map((of) => of.value);
  const nicknames = await readNicknames(db, { clientId: request.viewer.clientId, ids: repositories });
  const reference = await loadReferenceData();
  const names = {
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
