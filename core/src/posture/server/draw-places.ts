import {
  type FindingsRequest,
  type NarrowedFilter,
  needsRows,
  resolveFilter,
  setPlannerHints,
} from '../../findings/server/index.ts';
import type { Db } from '../../platform/server/database.ts';
import { loadReferenceData } from '../../prioritisation/server/index.ts';
import type { OwaspEdition } from '../model/chart-choices.ts';
import { chosenOf } from '../model/segments.ts';
import { CICD_RISKS, owaspIds, SLSA_THREATS, SUPPLY_CHAIN } from '../model/taxonomies.ts';
import { chartBySeverity, type Label, type LabelChart, sumOf } from './chart-of-labels.ts';
import { countByCell } from './queries/count-by-cell.ts';
import { countByDefinition, type Taxonomy } from './queries/count-by-definition.ts';
import { readRepositoryNames } from './queries/read-repository-names.ts';

/** The most repositories that a chart names; a filter takes no more either. */
const MAX_REPOSITORIES = 200;

const steer = (db: Db, filter: NarrowedFilter): Promise<void> =>
  setPlannerHints(db, needsRows(filter) ? 'free' : 'rollups');

/** Findings under the filters, counted once each. */
const countTotal = async (db: Db, filter: NarrowedFilter): Promise<number> => {
  if (filter.isEmpty) return 0;
  await steer(db, filter);
  return sumOf(await countByCell(db, { filter, by: 'nothing' }));
};

/** Findings by repository, most first. */
export const drawRepositories = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const filter = await resolveFilter(db, request);
  await steer(db, filter);
  const counts = filter.isEmpty ? [] : await countByCell(db, { filter, by: 'repository' });
  await setPlannerHints(db, 'free');
  const sums = new Map<string, number>();
  for (const { value, count } of counts) sums.set(value, (sums.get(value) ?? 0) + count);
  const ids = [...sums]
    .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .slice(0, MAX_REPOSITORIES)
    .map(([id]) => id);
  const names = await readRepositoryNames(db, { clientId: request.viewer.clientId, ids });
  const labels = ids.map((id): Label => ({ text: names.get(id) ?? id, value: id, filters: { repository: [id] } }));
  return chartBySeverity(labels, counts, sumOf(counts));
};

type PlaceKey = 'owasp' | 'slsa_threats' | 'owasp_cicd';

/**
 * A finding may be in several places, and the list asks for any of the values of a filter. So the chart leaves its own filter out and
 * shows only the places that it names: each bar stays what the list shows when it is asked for this place alone.
 */
const drawPlaces = async (
  db: Db,
  request: FindingsRequest,
  places: { key: PlaceKey; by: Taxonomy; labels: readonly Label[] },
): Promise<LabelChart> => {
  const { key, by, labels } = places;
  const total = await countTotal(db, await resolveFilter(db, request));
  const filter = await resolveFilter(db, request, key);
  await steer(db, filter);
  const counts = filter.isEmpty || labels.length === 0 ? [] : await countByDefinition(db, { filter, by });
  await setPlannerHints(db, 'free');
  return chartBySeverity(labels, counts, total);
};

const named = (ids: readonly string[], key: PlaceKey, title: (id: string) => string | undefined): Label[] =>
  ids.map((id) => ({ text: [id, title(id)].filter(Boolean).join(' '), value: id, filters: { [key]: [id] } }));

export const drawOwasp = async (db: Db, request: FindingsRequest, edition: OwaspEdition): Promise<LabelChart> => {
  const reference = await loadReferenceData();
  const ids = chosenOf(owaspIds(edition), request.filters.owasp);
  const labels = named(ids, 'owasp', (id) => reference.owaspTitle(id));
  return drawPlaces(db, request, { key: 'owasp', by: edition === '2021' ? 'owasp_2021' : 'owasp_2025', labels });
};

export const drawSlsaThreats = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const reference = await loadReferenceData();
  const ids = chosenOf(SLSA_THREATS, request.filters.slsa_threats);
  const labels = named(ids, 'slsa_threats', (id) => reference.supplyChainTitle(id));
  return drawPlaces(db, request, { key: 'slsa_threats', by: 'slsa_threats', labels });
};

export const drawCicdRisks = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const reference = await loadReferenceData();
  const ids = chosenOf(CICD_RISKS, request.filters.owasp_cicd);
  const labels = named(ids, 'owasp_cicd', (id) => reference.supplyChainTitle(id));
  return drawPlaces(db, request, { key: 'owasp_cicd', by: 'owasp_cicd', labels });
};

/** Parts of the supply chain, of which a filter by threats must name all. */
export const drawSupplyChain = async (db: Db, request: FindingsRequest): Promise<LabelChart> => {
  const chosen = request.filters.slsa_threats;
  const labels = Object.entries(SUPPLY_CHAIN)
    .filter(([, threats]) => chosenOf(threats, chosen).length === threats.length)
    .map(([name, threats]): Label => ({ text: name, value: name, filters: { slsa_threats: [...threats] } }));
  return drawPlaces(db, request, { key: 'slsa_threats', by: 'supply_chain', labels });
};
