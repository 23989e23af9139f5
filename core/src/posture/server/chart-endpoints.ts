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
import { readBacklogAgeChart, readFoundChart, readOverdueChart, readTimeToFixChart } from './date-charts.ts';
import {
  readCicdRisksChart,
  readOwaspChart,
  readRepositoriesChart,
  readSlsaThreatsChart,
  readSupplyChainChart,
} from './label-charts.ts';

/** What a chart is asked for, bound to what its caller may see. */
export const requestOf = (
  caller: Caller,
  query: { filters?: FindingFilters | undefined; search?: string | undefined },
): FindingsRequest => ({ viewer: viewerOf(caller), filters: query.filters ?? {}, search: query.search ?? '' });

/** Charts over labels: they count what the list counts under the same filters. */
export const chartEndpoints = (): Endpoint[] => [
  tenantEndpoint(findingsByRepoChart)(async ({ db, caller, query }) => ({
    data: await readRepositoriesChart(db, requestOf(caller, query)),
  })),
  tenantEndpoint(supplyChainChart)(async ({ db, caller, query }) => ({
    data: await readSupplyChainChart(db, requestOf(caller, query)),
  })),
  tenantEndpoint(owaspChart)(async ({ db, caller, query }) => ({
    data: await readOwaspChart(db, requestOf(caller, query), query.edition ?? '2025'),
  })),
  tenantEndpoint(slsaThreatsChart)(async ({ db, caller, query }) => ({
    data: await readSlsaThreatsChart(db, requestOf(caller, query)),
  })),
  tenantEndpoint(owaspCicdChart)(async ({ db, caller, query }) => ({
    data: await readCicdRisksChart(db, requestOf(caller, query)),
  })),
  tenantEndpoint(foundChart)(async ({ db, caller, query }) => ({
    data: await readFoundChart(db, requestOf(caller, query), query.period ?? '30d'),
  })),
  tenantEndpoint(backlogAgeChart)(async ({ db, caller, query }) => ({
    data: await readBacklogAgeChart(db, requestOf(caller, query)),
  })),
  tenantEndpoint(overdueChart)(async ({ db, caller, query }) => ({
    data: await readOverdueChart(db, requestOf(caller, query)),
  })),
  tenantEndpoint(timeToFixChart)(async ({ db, caller, query }) => ({
    data: await readTimeToFixChart(db, requestOf(caller, query)),
  })),
];
