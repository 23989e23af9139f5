import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { chartQuery, foundQuery } from './chart-routes.ts';

const Series = Type.Array(Type.Object({ name: Type.String(), data: Type.Array(Type.Integer()) }));

/** Answer of `findingsChart`. */
export const TrendChart = Type.Object({
  data: Type.Object({
    series: Series,
    dates: Type.Array(Type.String({ format: 'date' })),
    total: Type.Integer(),
    findings_without_remediation: Type.Integer(),
    findings_with_remediation: Type.Integer(),
    findings_with_ready_remediate: Type.Integer(),
  }),
});

/** Answer of `totalFindingsChart`. */
export const TotalChart = Type.Object({
  data: Type.Object({
    series: Series,
    labels: Type.Array(Type.String()),
    total: Type.Integer(),
    kev: Type.Integer(),
    repositories: Type.Integer(),
    components: Type.Integer(),
    /** True once anything was ever imported or added: the first run is over. */
    has_data: Type.Boolean(),
    has_sample: Type.Boolean(),
    has_verdict: Type.Boolean(),
    /** A pull request was ever opened from a patch. */
    has_pull_request: Type.Boolean(),
  }),
});

/**
 * Findings of the filters by severity at the end of each day, week or month, and by whether there is an action plan (told from the status:
 * `pending_input` and later have one, `ready` is ready). Source: decisions.md "Wire shapes", charts.
 */
export const findingsChart = route({
  method: 'GET',
  path: '/findings_chart',
  tag: 'posture',
  summary: 'Findings by severity over time, and by action plan',
  access: { permission: 'findings.read', tenant: true },
  query: foundQuery,
  response: TrendChart,
});

/** Findings of the filters by severity now, with the figures at the head of the dashboard. */
export const totalFindingsChart = route({
  method: 'GET',
  path: '/total_findings_chart',
  tag: 'posture',
  summary: 'Findings by severity now, and the headline figures',
  access: { permission: 'findings.read', tenant: true },
  query: Type.Object(chartQuery, { additionalProperties: false }),
  response: TotalChart,
});
