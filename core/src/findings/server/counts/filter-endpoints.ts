import { FINDING_TYPES } from '@breakwater/sdk';
import { AppError } from '../../../platform/model/app-error.ts';
import { can } from '../../../platform/model/permissions.ts';
import { readInsideClient } from '../../../platform/server/client-access.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { type Caller, callerEndpoint, type Endpoint } from '../../../platform/server/endpoint.ts';
import { loadReferenceData } from '../../../prioritisation/server/index.ts';
import { getFilterOptions } from '../../api/routes.ts';
import { listFindingTypes, listOwasps, listSlsaThreats, listSupplyChains } from '../../api/taxonomy-routes.ts';
import { FACET_KEYS } from '../../model/filter-catalogue.ts';
import { viewerOf } from '../filter/viewer.ts';
import { readFacets } from './read-facets.ts';

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
  if (!can(caller.role, 'clients.manage')) throw new AppError('forbidden');
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

/** Options of the filters, and the lists that filters name. */
export const createFilterEndpoints = ({ database }: { database: DatabaseHandle }): Endpoint[] => [
  ...taxonomyEndpoints(),
  callerEndpoint(getFilterOptions)(async ({ caller, query, request, origin }) => {
    const keys = query.filter_key === undefined ? FACET_KEYS : [query.filter_key];
    const clientId = clientOf(caller, query.client_id);
    const asked = {
      viewer: { ...viewerOf(caller), clientId },
      filters: query.filters ?? {},
      search: query.search ?? '',
      optionText: query.filter_search ?? '',
    };
    const read = (db: Db) => readFacets(db, asked, keys);
    const isOwn = clientId === caller.clientId;
    const data = isOwn
      ? await database.forClient(clientId, read)
      : await readInsideClient(database, { clientId, caller, request, origin }, read);
    return { success: true, data };
  }),
];
