import { type FindingsRequest, type Viewer, viewerOf } from '../../findings/server/index.ts';
import { type Caller, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { foundChart, owaspChart, PLAIN_CHART_KEYS, PLAIN_CHARTS, type PlainChartKey } from '../api/chart-routes.ts';
import type { FindingFilters } from '../model/charts.ts';
import type { ReadChart } from './chart-of-labels.ts';
import { DATE_CHARTS, readFoundChart } from './date-charts.ts';
import { LABEL_CHARTS, readOwaspChart } from './label-charts.ts';

/** How each chart of the contract is counted; one without its counting does not compile. */
export const READ_CHARTS: Readonly<Record<PlainChartKey, ReadChart>> = { ...LABEL_CHARTS, ...DATE_CHARTS };

/** What a chart is asked for, bound to what its caller may see. */
export const requestFor = (
  viewer: Viewer,
  query: { filters?: FindingFilters | undefined; search?: string | undefined },
): FindingsRequest => ({ viewer, filters: query.filters ?? {}, search: query.search ?? '' });

/** The same for a caller in their own client. */
export const requestOf = (caller: Caller, query: Parameters<typeof requestFor>[1]): FindingsRequest =>
  requestFor(viewerOf(caller), query);

/** Charts over labels: they count what the list counts under the same filters. */
export const chartEndpoints = (): Endpoint[] => [
  ...PLAIN_CHART_KEYS.map((key) =>
    tenantEndpoint(PLAIN_CHARTS[key])(async ({ db, caller, query }) => ({
      data: await READ_CHARTS[key](db, requestOf(caller, query)),
    })),
  ),
  tenantEndpoint(owaspChart)(async ({ db, caller, query }) => ({
    data: await readOwaspChart(db, requestOf(caller, query), query.edition ?? '2025'),
  })),
  tenantEndpoint(foundChart)(async ({ db, caller, query }) => ({
    data: await readFoundChart(db, requestOf(caller, query), query.period ?? '30d'),
  })),
];
