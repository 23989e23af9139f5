import { SEVERITIES } from '@breakwater/sdk';
import { type RawBuilder, sql } from 'kysely';
import {
  type FindingsRequest,
  isNarrowed,
  needsRows,
  resolveFilter,
  setPlannerHints,
  type Viewer,
  viewerOf,
} from '../../findings/server/index.ts';
import { readInsideClient } from '../../platform/server/client-access.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, type SignedInInput, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { PLAIN_CHART_KEYS } from '../api/chart-routes.ts';
import {
  MANAGED_PLAIN_CHARTS,
  managedBoard,
  managedFindingsChart,
  managedFoundChart,
  managedOwaspChart,
  managedTotalFindingsChart,
} from '../api/managed-routes.ts';
import { findingsChart, totalFindingsChart } from '../api/routes.ts';
import { openAtEnds, READY, WITH_PLAN, WITHOUT_PLAN } from '../model/backlog.ts';
import { type ChartPeriod, chartDates } from '../model/charts.ts';
import { boardEndpoints, onWire, readStoredBoard } from './board.ts';
import { changesEndpoint } from './changes.ts';
import { chartEndpoints, READ_CHARTS, requestFor, requestOf } from './chart-endpoints.ts';
import { RANKS, sumOf } from './chart-of-labels.ts';
import { type CellCount, countByCell } from './count-by-cell.ts';
import { listDayChanges, readHeadline } from './dashboard-queries.ts';
import { readFoundChart } from './date-charts.ts';
import { readOwaspChart } from './label-charts.ts';

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

const readTotals = async (db: Db, request: FindingsRequest) => {
  const { counts, total } = await countNow(db, request, sql`k.kev::text`);
  await setPlannerHints(db, 'free');
  const headline = await readHeadline(db, request);
  return {
    series: [{ name: 'Findings', data: RANKS.map(({ rank }) => ofSeverity(counts, rank)) }],
    labels: [...SEVERITIES],
    total,
    kev: sumOf(counts.filter(({ value }) => value === 'true')),
    ...headline,
  };
};

type Inside = Pick<SignedInInput<{ client: string }, unknown, unknown>, 'caller' | 'params' | 'request' | 'origin'>;

/** The same charts inside a client that a superadmin names. */
export const createManagedChartEndpoints = ({ database }: { database: DatabaseHandle }): Endpoint[] => {
  const inside = async <T>(
    { caller, params, request, origin }: Inside,
    work: (db: Db, viewer: Viewer) => Promise<T>,
  ): Promise<{ data: T }> => {
    const clientId = params.client;
    const viewer = { ...viewerOf(caller), clientId };
    const access = { clientId, caller, request, origin };
    return { data: await readInsideClient(database, access, (db) => work(db, viewer)) };
  };
  return [
    callerEndpoint(managedFindingsChart)((input) =>
      inside(input, (db, viewer) =>
        readFindingsChart(db, requestFor(viewer, input.query), input.query.period ?? '30d'),
      ),
    ),
    callerEndpoint(managedTotalFindingsChart)((input) =>
      inside(input, (db, viewer) => readTotals(db, requestFor(viewer, input.query))),
    ),
    callerEndpoint(managedBoard)((input) =>
      inside(input, async (db, { clientId }) => onWire(await readStoredBoard(db, clientId))),
    ),
    ...PLAIN_CHART_KEYS.map((key) =>
      callerEndpoint(MANAGED_PLAIN_CHARTS[key])((input) =>
        inside(input, (db, viewer) => READ_CHARTS[key](db, requestFor(viewer, input.query))),
      ),
    ),
    callerEndpoint(managedOwaspChart)((input) =>
      inside(input, (db, viewer) => readOwaspChart(db, requestFor(viewer, input.query), input.query.edition ?? '2025')),
    ),
    callerEndpoint(managedFoundChart)((input) =>
      inside(input, (db, viewer) => readFoundChart(db, requestFor(viewer, input.query), input.query.period ?? '30d')),
    ),
  ];
};

/** Charts of the dashboard. Every figure is what the list counts under the same filters. */
export const createPostureEndpoints = (): Endpoint[] => [
  tenantEndpoint(findingsChart)(async ({ db, caller, query }) => ({
    data: await readFindingsChart(db, requestOf(caller, query), query.period ?? '30d'),
  })),
  tenantEndpoint(totalFindingsChart)(async ({ db, caller, query }) => ({
    data: await readTotals(db, requestOf(caller, query)),
  })),
  changesEndpoint(),
  ...boardEndpoints(),
  ...chartEndpoints(),
];
