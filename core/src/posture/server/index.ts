import { SEVERITIES } from '@breakwater/sdk';
import { type RawBuilder, sql } from 'kysely';
import {
  type FindingsRequest,
  isNarrowed,
  needsRows,
  resolveFilter,
  setPlannerHints,
} from '../../findings/server/index.ts';
import type { Db } from '../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { findingsChart, totalFindingsChart } from '../api/routes.ts';
import { openAtEnds, READY, WITH_PLAN, WITHOUT_PLAN } from '../model/backlog.ts';
import { type ChartPeriod, chartDates } from '../model/charts.ts';
import { chartEndpoints, requestOf } from './chart-endpoints.ts';
import { RANKS, sumOf } from './chart-of-labels.ts';
import { type CellCount, countByCell } from './count-by-cell.ts';
import { listDayChanges, readHeadline } from './dashboard-queries.ts';

const ofSeverity = (counts: readonly CellCount[], rank: number): number =>
  sumOf(counts.filter(({ severity }) => severity === rank));

const ofStatus = (counts: readonly CellCount[], statuses: readonly string[]): number =>
  sumOf(counts.filter(({ value }) => statuses.includes(value)));

const countNow = async (db: Db, request: FindingsRequest, by: RawBuilder<string>) => {
  const filter = await resolveFilter(db, request);
  await setPlannerHints(db, needsRows(filter) ? 'free' : 'rollups');
  const counts = filter.isEmpty ? [] : await countByCell(db, { filter, by });
  return { filter, counts, total: sumOf(counts) };
};

const readFindingsChart = async (db: Db, request: FindingsRequest, period: ChartPeriod) => {
  const dates = chartDates(period, new Date());
  const { filter, counts, total } = await countNow(db, request, sql`s.status`);
  const [first] = dates;
  if (isNarrowed(filter)) await setPlannerHints(db, 'free');
  const changes = filter.isEmpty || first === undefined ? [] : await listDayChanges(db, { filter, after: first });
  await setPlannerHints(db, 'free');
  const series = RANKS.map(({ name, rank }) => ({
    name,
    data: openAtEnds(
      ofSeverity(counts, rank),
      changes.filter((change) => change.severity === rank),
      dates,
    ),
  }));
  return {
    series,
    dates,
    total,
    findings_with_remediation: ofStatus(counts, WITH_PLAN),
    findings_without_remediation: ofStatus(counts, WITHOUT_PLAN),
    findings_with_ready_remediate: ofStatus(counts, READY),
  };
};

/** Charts of the dashboard. Every figure is what the list counts under the same filters. */
export const createPostureEndpoints = (): Endpoint[] => [
  tenantEndpoint(findingsChart)(async ({ db, caller, query }) => ({
    data: await readFindingsChart(db, requestOf(caller, query), query.period ?? '30d'),
  })),
  tenantEndpoint(totalFindingsChart)(async ({ db, caller, query }) => {
    const request = requestOf(caller, query);
    const { counts, total } = await countNow(db, request, sql`k.kev::text`);
    await setPlannerHints(db, 'free');
    const headline = await readHeadline(db, { viewer: request.viewer, repositories: request.filters.repository });
    return {
      data: {
        series: [{ name: 'Findings', data: RANKS.map(({ rank }) => ofSeverity(counts, rank)) }],
        labels: [...SEVERITIES],
        total,
        kev: sumOf(counts.filter(({ value }) => value === 'true')),
        ...headline,
      },
    };
  }),
  ...chartEndpoints(),
];
