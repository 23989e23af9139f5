import { FINDING_TYPES } from '@breakwater/sdk';
import { AppError } from '../../platform/model/app-error.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import { type Caller, callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import { loadReferenceData } from '../../prioritisation/server/index.ts';
import { listFindingGroups } from '../api/group-routes.ts';
import { FILTER_KEYS, getFilterOptions } from '../api/routes.ts';
import { listFindingTypes, listOwasps, listSlsaThreats, listSupplyChains } from '../api/taxonomy-routes.ts';
import { readGroups } from './groups/read-groups.ts';
import { readFacets } from './read-facets.ts';
import { viewerOf } from './viewer.ts';

/** SLSA threats by the part of the supply chain. Source: decisions.md "States". */
const SUPPLY_CHAINS = [
  { id: 'source', title: 'Source', threats: ['A', 'B', 'C'] },
  { id: 'dependencies', title: 'Dependencies', threats: ['D'] },
  { id: 'build', title: 'Build', threats: ['E', 'F', 'G', 'H'] },
] as const;

const titled = (_id: string, title: string) => ({ _id, attributes: { title } });

/** The client whose findings are asked for. @throws forbidden for another client's, but for a superadmin. */
const clientOf = (caller: Caller, clientId: string | undefined): string => {
  if (clientId === undefined || clientId === caller.clientId) return caller.clientId;
  if (caller.role !== 'superadmin') throw new AppError('forbidden');
  return clientId;
};

const taxonomyEndpoints = (): Endpoint[] => [
  callerEndpoint(listOwasps)(async ({ query }) => {
    const reference = await loadReferenceData();
    const ids = Array.from(
      { length: 10 },
      (_, index) => `A${String(index + 1).padStart(2, '0')}:${query.edition ?? '2025'}`,
    );
    return { data: ids.map((id) => titled(id, reference.owaspTitle(id) ?? id)) };
  }),
  callerEndpoint(listSlsaThreats)(async () => {
    const reference = await loadReferenceData();
    return { data: [...'ABCDEFGH'].map((id) => titled(id, reference.supplyChainTitle(id) ?? id)) };
  }),
  callerEndpoint(listFindingTypes)(() => ({
    data: FINDING_TYPES.map((type) => ({ _id: type, attributes: { title: type } })),
  })),
  callerEndpoint(listSupplyChains)(() => ({
    data: SUPPLY_CHAINS.map(({ id, title, threats }) => ({
      _id: id,
      attributes: { title, slsa_threats: [...threats] },
    })),
  })),
];

/** Options of the filters, groups of findings, and the lists that filters name. */
export const createFilterEndpoints = ({ database }: { database: DatabaseHandle }): Endpoint[] => [
  ...taxonomyEndpoints(),
  callerEndpoint(getFilterOptions)(async ({ caller, query }) => {
    const keys = query.filter_key === undefined ? FILTER_KEYS : [query.filter_key];
    const clientId = clientOf(caller, query.client_id);
    const request = {
      viewer: { ...viewerOf(caller), clientId },
      filters: query.filters ?? {},
      search: query.search ?? '',
      optionText: query.filter_search ?? '',
    };
    return { success: true, data: await database.forClient(clientId, (db) => readFacets(db, request, keys)) };
  }),
  tenantEndpoint(listFindingGroups)(async ({ db, caller, query }) => {
    const paging = readPaging(query);
    const sort = query.sort_field ?? 'count';
    const { items, total, grouped } = await readGroups(db, {
      viewer: viewerOf(caller),
      filters: query.filters ?? {},
      search: query.search ?? '',
      by: query.by,
      sort,
      direction: query.sort ?? (sort === 'name' ? 'asc' : 'desc'),
      offset: paging.offset,
      limit: paging.pageSize,
    });
    return { data: items, meta: { ...pageMeta(total, paging), grouped } };
  }),
];
