import { Type } from 'typebox';
import { FindingFilters } from '../../findings/model/filter-schema.ts';
import { type RouteDefinition, route } from '../../platform/api/contract.ts';
import { OneOf } from '../../platform/api/envelope.ts';
import { CHART_PERIODS, OWASP_EDITIONS } from '../model/charts.ts';

/** What every chart is asked for: the list's own filters and free text. */
export const chartQuery = {
  filters: Type.Optional(FindingFilters),
  search: Type.Optional(Type.String({ maxLength: 200 })),
};

/** Figures by series and label. */
const Figures = Type.Array(Type.Object({ name: Type.String(), data: Type.Array(Type.Number()) }));

/**
 * `segments[s][l]` narrows the filters of the call: the list under `{...filters, ...segments[s][l]}` has exactly
 * `series[s].data[l]` findings. Null where the figure counts no findings.
 */
const Segments = Type.Array(Type.Array(Type.Union([FindingFilters, Type.Null()])));

/** Answer of a chart over labels. Source: decisions.md "Wire shapes", charts; `segments` is ours. */
export const ChartOfLabels = Type.Object({
  data: Type.Object({
    series: Figures,
    labels: Type.Array(Type.String()),
    segments: Segments,
    /** Findings under the filters, counted once each. */
    total: Type.Integer(),
  }),
});

const access: RouteDefinition['access'] = { permission: 'findings.read', tenant: true };
const plainQuery = Type.Object(chartQuery, { additionalProperties: false });

/** Findings by repository and severity, most first, at most 200. */
export const findingsByRepoChart = route({
  method: 'GET',
  path: '/findings_by_repo_chart',
  tag: 'posture',
  summary: 'Findings by repository and severity',
  access,
  query: plainQuery,
  response: ChartOfLabels,
});

/** Findings that bear on build, dependencies and source; one finding may count in several. */
export const supplyChainChart = route({
  method: 'GET',
  path: '/supply_chain_chart',
  tag: 'posture',
  summary: 'Findings by part of the supply chain',
  access,
  query: plainQuery,
  response: ChartOfLabels,
});

/** Findings by OWASP Top 10 category; the list of 2025 unless told otherwise. */
export const owaspChart = route({
  method: 'GET',
  path: '/owasp_chart',
  tag: 'posture',
  summary: 'Findings by OWASP Top 10 category',
  access,
  query: Type.Object({ ...chartQuery, edition: Type.Optional(OneOf(OWASP_EDITIONS)) }, { additionalProperties: false }),
  response: ChartOfLabels,
});

/** Findings by SLSA v1.0 threat, A-H. */
export const slsaThreatsChart = route({
  method: 'GET',
  path: '/slsa_threats_chart',
  tag: 'posture',
  summary: 'Findings by SLSA threat',
  access,
  query: plainQuery,
  response: ChartOfLabels,
});

/** Findings by OWASP CI/CD risk, CICD-SEC-1 to 10. */
export const owaspCicdChart = route({
  method: 'GET',
  path: '/owasp_cicd_chart',
  tag: 'posture',
  summary: 'Findings by OWASP CI/CD risk',
  access,
  query: plainQuery,
  response: ChartOfLabels,
});

/** Ours: findings by severity and the day, week or month of their date. The first column holds only what lies in the span. */
export const foundChart = route({
  method: 'GET',
  path: '/found_findings_chart',
  tag: 'posture',
  summary: 'Findings by when they were found',
  access,
  query: Type.Object({ ...chartQuery, period: Type.Optional(OneOf(CHART_PERIODS)) }, { additionalProperties: false }),
  response: ChartOfLabels,
});

/** Ours: findings by severity and age in days. */
export const backlogAgeChart = route({
  method: 'GET',
  path: '/backlog_age_chart',
  tag: 'posture',
  summary: 'Findings by age',
  access,
  query: plainQuery,
  response: ChartOfLabels,
});

/** Ours: findings past the days that their severity allows, and those within. Source: decisions.md "States", SLA days. */
export const overdueChart = route({
  method: 'GET',
  path: '/overdue_chart',
  tag: 'posture',
  summary: 'Findings past their target date, by severity',
  access,
  query: plainQuery,
  response: ChartOfLabels,
});

/** Ours: mean days from first seen to closed by severity, and how many were closed. A status filter does not apply. */
export const timeToFixChart = route({
  method: 'GET',
  path: '/time_to_fix_chart',
  tag: 'posture',
  summary: 'Mean time to fix, by severity',
  access,
  query: plainQuery,
  response: ChartOfLabels,
});
