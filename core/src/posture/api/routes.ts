import { Type } from 'typebox';
import { FindingFilters } from '../../findings/model/filters.ts';
import { route } from '../../platform/api/contract.ts';
import { OneOf } from '../../platform/api/envelope.ts';
import { CLIENT_ROLES } from '../../platform/model/roles.ts';

export const CHART_PERIODS = ['30d', '12w', '12m'] as const;

export const Series = Type.Array(Type.Object({ name: Type.String(), data: Type.Array(Type.Integer()) }));

/** Open findings by severity at the end of each day, week or month. Source: decisions.md "Wire shapes", charts. */
export const findingsChart = route({
  method: 'GET',
  path: '/findings_chart',
  tag: 'posture',
  summary: 'Open findings by severity over time',
  access: { roles: CLIENT_ROLES, tenant: true },
  query: Type.Object(
    { period: Type.Optional(OneOf(CHART_PERIODS)), filters: Type.Optional(FindingFilters) },
    { additionalProperties: false },
  ),
  response: Type.Object({
    data: Type.Object({
      series: Series,
      dates: Type.Array(Type.String({ format: 'date' })),
      total: Type.Integer(),
    }),
  }),
});

/** Open findings by severity now, with the figures at the head of the dashboard. */
export const totalFindingsChart = route({
  method: 'GET',
  path: '/total_findings_chart',
  tag: 'posture',
  summary: 'Open findings by severity now, and the headline figures',
  access: { roles: CLIENT_ROLES, tenant: true },
  query: Type.Object({ filters: Type.Optional(FindingFilters) }, { additionalProperties: false }),
  response: Type.Object({
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
    }),
  }),
});
