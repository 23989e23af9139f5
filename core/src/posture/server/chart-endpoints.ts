import { type FindingsRequest, viewerOf } from '../../findings/server/index.ts';
import { type Caller, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import {
  backlogAgeChart,
  findingsByRepoChart,
  foundChart,
  overdueChart,
  owaspChart,
  owaspCicdChart,
  slsaThreatsChart,
  supplyChainChart,
  timeToFixChart,
} from '../api/chart-routes.ts';
import type { FindingFilters } from '../model/charts.ts';
import { drawBacklogAge, drawFound, drawOverdue, drawTimeToFix } from './draw-dates.ts';
import { drawCicdRisks, drawOwasp, drawRepositories, drawSlsaThreats, drawSupplyChain } from './label-charts.ts';

/** What a chart is asked for, bound to what its caller may see. */
export const requestOf = (
  caller: Caller,
  query: { filters?: FindingFilters | undefined; search?: string | undefined },
): FindingsRequest => ({ viewer: viewerOf(caller), filters: query.filters ?? {}, search: query.search ?? '' });

/** Charts over labels: they count what the list counts under the same filters. */
export const chartEndpoints = (): Endpoint[] => [
  tenantEndpoint(findingsByRepoChart)(async ({ db, caller, query }) => ({
    data: await drawRepositories(db, requestOf(caller, query)),
  })),
  tenantEndpoint(supplyChainChart)(async ({ db, caller, query }) => ({
    data: await drawSupplyChain(db, requestOf(caller, query)),
  })),
  tenantEndpoint(owaspChart)(async ({ db, caller, query }) => ({
    data: await drawOwasp(db, requestOf(caller, query), query.edition ?? '2025'),
  })),
  tenantEndpoint(slsaThreatsChart)(async ({ db, caller, query }) => ({
    data: await drawSlsaThreats(db, requestOf(caller, query)),
  })),
  tenantEndpoint(owaspCicdChart)(async ({ db, caller, query }) => ({
    data: await drawCicdRisks(db, requestOf(caller, query)),
  })),
  tenantEndpoint(foundChart)(async ({ db, caller, query }) => ({
    data: await drawFound(db, requestOf(caller, query), query.period ?? '30d'),
  })),
  tenantEndpoint(backlogAgeChart)(async ({ db, caller, query }) => ({
    data: await drawBacklogAge(db, requestOf(caller, query)),
  })),
  tenantEndpoint(overdueChart)(async ({ db, caller, query }) => ({
    data: await drawOverdue(db, requestOf(caller, query)),
  })),
  tenantEndpoint(timeToFixChart)(async ({ db, caller, query }) => ({
    data: await drawTimeToFix(db, requestOf(caller, query)),
  })),
];
