/** Spans of charts over time: 30 days, 12 weeks, 12 months. */
export const CHART_PERIODS = ['30d', '12w', '12m'] as const;
export type ChartPeriod = (typeof CHART_PERIODS)[number];

/** Lists of the OWASP Top 10 that the chart can show; the first is shown unless told otherwise. */
export const OWASP_EDITIONS = ['2025', '2021'] as const;
export type OwaspEdition = (typeof OWASP_EDITIONS)[number];
