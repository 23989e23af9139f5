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

/** A chart that is asked for nothing but filters. */
const plainChart = (path: string, summary: string) =>
  route({ method: 'GET', path, tag: 'posture', summary, access, query: plainQuery, response: ChartOfLabels });

/** Charts without choices of their own, by the key under which server and screen name them: loading and endpoint follow from the entry. */
export const PLAIN_CHARTS = {
  /** Most first, at most 200. */
  repositories: plainChart('/findings_by_repo_chart', 'Findings by repository and severity'),
  /** Ours: most first, at most 200; what nobody owns is only in `total`. */
  owners: plainChart('/findings_by_owner_chart', 'Findings by owner and severity'),
  /** Findings that bear on build, dependencies and source; one finding may count in several. */
  supplyChain: plainChart('/supply_chain_chart', 'Findings by part of the supply chain'),
  /** SLSA v1.0 threats, A-H. */
  slsa: plainChart('/slsa_threats_chart', 'Findings by SLSA threat'),
  /** CICD-SEC-1 to 10. */
  cicd: plainChart('/owasp_cicd_chart', 'Findings by OWASP CI/CD risk'),
  /** Ours: by severity and age in days. */
  age: plainChart('/backlog_age_chart', 'Findings by age'),
  /** Ours: past the days that their severity allows, and those within. Source: decisions.md "States", SLA days. */
  overdue: plainChart('/overdue_chart', 'Findings past their target date, by severity'),
  /** Ours: mean days from first seen to closed, and how many were closed. A status filter does not apply. */
  timeToFix: plainChart('/time_to_fix_chart', 'Mean time to fix, by severity'),
} as const;
export type PlainChartKey = keyof typeof PLAIN_CHARTS;

const isPlainChart = (key: string): key is PlainChartKey => key in PLAIN_CHARTS;
export const PLAIN_CHART_KEYS: readonly PlainChartKey[] = Object.keys(PLAIN_CHARTS).filter(isPlainChart);

export const owaspQuery = Type.Object(
  { ...chartQuery, edition: Type.Optional(OneOf(OWASP_EDITIONS)) },
  { additionalProperties: false },
);
export const foundQuery = Type.Object(
  { ...chartQuery, period: Type.Optional(OneOf(CHART_PERIODS)) },
  { additionalProperties: false },
);

/** Findings by OWASP Top 10 category; the list of 2025 unless another edition is named. */
export const owaspChart = route({
  method: 'GET',
  path: '/owasp_chart',
  tag: 'posture',
  summary: 'Findings by OWASP Top 10 category',
  access,
  query: owaspQuery,
  response: ChartOfLabels,
});

/** Ours: findings by severity and the day, week or month of their date. The first column holds only what lies in the span. */
export const foundChart = route({
  method: 'GET',
  path: '/found_findings_chart',
  tag: 'posture',
  summary: 'Findings by when they were first found here',
  access,
  query: foundQuery,
  response: ChartOfLabels,
});
