import type { LabelChart } from './charts.store.ts';

export interface NamedChart {
  title: string;
  chart: Pick<LabelChart, 'labels' | 'series'>;
}

/** A field of a CSV: quoted, and without what a spreadsheet would run as a formula. */
const field = (value: string | number): string => {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The figures of charts, one a line: chart, label, series, figure. */
export const figuresCsv = (head: readonly string[], charts: readonly NamedChart[]): string =>
  [
    head,
    ...charts.flatMap(({ title, chart }) =>
      chart.labels.flatMap((label, index) =>
        chart.series.map(({ name, data }) => [title, label, name, data[index] ?? 0]),
      ),
    ),
  ]
    .map((line) => `${line.map(field).join(',')}\r\n`)
    .join('');
