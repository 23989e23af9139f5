import { type TSchema, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id } from '../../platform/api/envelope.ts';
import { readBoard, StoredBoardAnswer } from './board-routes.ts';
import {
  ChartOfLabels,
  chartQuery,
  foundChart,
  foundQuery,
  owaspChart,
  owaspQuery,
  PLAIN_CHARTS,
  type PlainChartKey,
} from './chart-routes.ts';
import { findingsChart, TotalChart, TrendChart, totalFindingsChart } from './routes.ts';

/** Path of a chart of the own client, inside another. */
export const managedChartPath = (path: string): string => `/manage-clients/charts/{client}${path}`;

/** A chart of the own client as superadmins read it inside another: the same query, the same answer. Every look is written down for the client. */
const inside = <Query extends TSchema, Answer extends TSchema>(
  of: { path: string; summary: string },
  query: Query,
  response: Answer,
) =>
  route({
    method: 'GET',
    path: managedChartPath(of.path),
    tag: 'posture',
    summary: `${of.summary}, inside a client`,
    access: { permission: 'clients.manage', tenant: false },
    params: Type.Object({ client: Id }),
    query,
    response,
    errors: ['client_not_found'],
  });

const plain = (key: PlainChartKey) =>
  inside(PLAIN_CHARTS[key], Type.Object(chartQuery, { additionalProperties: false }), ChartOfLabels);

export const MANAGED_PLAIN_CHARTS = {
  repositories: plain('repositories'),
  owners: plain('owners'),
  supplyChain: plain('supplyChain'),
  slsa: plain('slsa'),
  cicd: plain('cicd'),
  age: plain('age'),
  overdue: plain('overdue'),
  timeToFix: plain('timeToFix'),
} as const satisfies Record<PlainChartKey, unknown>;

export const managedOwaspChart = inside(owaspChart, owaspQuery, ChartOfLabels);
export const managedFoundChart = inside(foundChart, foundQuery, ChartOfLabels);
export const managedFindingsChart = inside(findingsChart, foundQuery, TrendChart);
export const managedTotalFindingsChart = inside(
  totalFindingsChart,
  Type.Object(chartQuery, { additionalProperties: false }),
  TotalChart,
);

/** How the client arranged its dashboard. */
export const managedBoard = inside(readBoard, Type.Object({}, { additionalProperties: false }), StoredBoardAnswer);
