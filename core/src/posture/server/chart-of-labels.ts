import { SEVERITIES, type Severity } from '@breakwater/sdk';
import type { FindingsRequest } from '../../findings/server/index.ts';
import type { Db } from '../../platform/server/database.ts';
import type { FindingFilters } from '../model/charts.ts';

/** A chart over labels; `segments` as in api/chart-routes.ts. */
export interface LabelChart {
  series: { name: string; data: number[] }[];
  labels: string[];
  segments: (FindingFilters | null)[][];
  total: number;
}

/** Counts a chart that is asked for nothing but filters. */
export type ReadChart = (db: Db, request: FindingsRequest) => Promise<LabelChart>;

/** One label on the axis of a chart. */
export interface Label {
  text: string;
  /** What the counts call it. */
  value: string;
  /** What the list must be asked for to show it. */
  filters: FindingFilters;
}

interface Count {
  value: string;
  /** 4 critical to 0 informational. */
  severity: number;
  count: number;
}

/** Severities as series: the word and the stored rank, worst first. */
export const RANKS: readonly { name: Severity; rank: number }[] = SEVERITIES.map((name, index) => ({
  name,
  rank: SEVERITIES.length - 1 - index,
}));

export const sumOf = (counts: readonly { count: number }[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);

/** One series a severity over labels, each figure with the filters of its findings. */
export const chartBySeverity = (labels: readonly Label[], counts: readonly Count[], total: number): LabelChart => {
  const found = new Map(counts.map((of) => [`${of.severity} ${of.value}`, of.count]));
  const series = RANKS.map(({ name, rank }) => ({
    name,
    data: labels.map(({ value }) => found.get(`${rank} ${value}`) ?? 0),
  }));
  return {
    series,
    labels: labels.map(({ text }) => text),
    segments: series.map(({ name, data }) =>
      data.map((count, index) => (count === 0 ? null : { ...labels[index]?.filters, severity: [severityOf(name)] })),
    ),
    total,
  };
};

const severityOf = (name: string): Severity => SEVERITIES.find((one) => one === name) ?? 'informational';
