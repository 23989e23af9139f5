import { SEVERITIES } from '@breakwater/sdk';
import { type FindingsRequest, narrowFilter, needsRows, steerPlanner, viewerOf } from '../../findings/server/index.ts';
import type { Db } from '../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { findingsChart, totalFindingsChart } from '../api/routes.ts';
import { type ChartPeriod, chartDates } from '../model/chart-dates.ts';
import { openAtEnds } from '../model/open-over-time.ts';
import { countOpen, type OpenCount } from './queries/count-open.ts';
import { listDayChanges } from './queries/list-day-changes.ts';
import { readHeadline } from './queries/read-headline.ts';

/** Severities as series: the word and the stored rank. */
const RANKS = SEVERITIES.map((name, index) => ({ name, rank: SEVERITIES.length - 1 - index }));

const openOf = (counts: readonly OpenCount[], rank: number): number =>
  counts.find((of) => of.severity === rank)?.count ?? 0;

const openNow = async (db: Db, request: FindingsRequest) => {
  const filter = await narrowFilter(db, request);
  await steerPlanner(db, needsRows(filter) ? 'free' : 'rollups');
  const counts = filter.isEmpty ? [] : await countOpen(db, filter);
  return { filter, counts, total: counts.reduce((sum, of) => sum + of.count, 0) };
};

const drawFindings = async (db: Db, request: FindingsRequest, period: ChartPeriod) => {
  const dates = chartDates(period, new Date());
  const { filter, counts, total } = await openNow(db, request);
  const [first] = dates;
  const changes = filter.isEmpty || first === undefined ? [] : await listDayChanges(db, { filter, after: first });
  await steerPlanner(db, 'free');
  const series = RANKS.map(({ name, rank }) => ({
    name,
    data: openAtEnds(
      openOf(counts, rank),
      changes.filter((change) => change.severity === rank),
      dates,
    ),
  }));
  return { series, dates, total };
};

/** Charts of the dashboard. They count open findings: not mitigated, no negative verdict, neither duplicate nor part of another. */
export const createPostureEndpoints = (): Endpoint[] => [
  tenantEndpoint(findingsChart)(async ({ db, caller, query }) => {
    const request = { viewer: viewerOf(caller), filters: query.filters ?? {}, search: '' };
    return { data: await drawFindings(db, request, query.period ?? '30d') };
  }),
  tenantEndpoint(totalFindingsChart)(async ({ db, caller, query }) => {
    const viewer = viewerOf(caller);
    const filters = query.filters ?? {};
    const { counts, total } = await openNow(db, { viewer, filters, search: '' });
    await steerPlanner(db, 'free');
    const headline = await readHeadline(db, { viewer, repositories: filters.repository });
    return {
      data: {
        series: [{ name: 'Open findings', data: RANKS.map(({ rank }) => openOf(counts, rank)) }],
        labels: [...SEVERITIES],
        total,
        kev: counts.reduce((sum, of) => sum + of.kev, 0),
        ...headline,
      },
    };
  }),
];
