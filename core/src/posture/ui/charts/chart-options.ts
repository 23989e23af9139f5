import { SEVERITIES, type Severity } from '@breakwater/sdk';
import type { EChartsOption } from 'echarts';
import { SEVERITY_LABELS } from '../../../platform/model/severity.ts';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { barLengths, type Scale } from '../../model/bar-lengths.ts';

/** One figure for each severity, worst first. */
export type BySeverity = Record<Severity, number>;

/** Colours and type of the page as they are now: light or dark. */
export interface ChartTokens {
  severity: Record<Severity, string>;
  /** Charts of one series. */
  single: string;
  bad: string;
  quiet: string;
  text: string;
  text2: string;
  muted: string;
  border: string;
  surface: string;
  overlay: string;
  font: string;
}

const TOKEN_OF: Record<Severity, string> = {
  critical: '--bw-critical',
  high: '--bw-high',
  medium: '--bw-medium',
  low: '--bw-low',
  informational: '--bw-info',
};

/** Reads the tokens from the document, so that charts follow the colour mode. */
export const readTokens = (element: HTMLElement): ChartTokens => {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const severity = (name: Severity) => token(TOKEN_OF[name]);
  return {
    severity: {
      critical: severity('critical'),
      high: severity('high'),
      medium: severity('medium'),
      low: severity('low'),
      informational: severity('informational'),
    },
    single: token('--bw-part-2'),
    bad: token('--bw-bad'),
    quiet: token('--bw-part-5'),
    text: token('--bw-text'),
    text2: token('--bw-text-2'),
    muted: token('--bw-muted'),
    border: token('--bw-border'),
    surface: token('--bw-surface'),
    overlay: token('--bw-overlay'),
    font: token('--bw-font'),
  };
};

const base = (tokens: ChartTokens, description: string): EChartsOption => ({
  animation: false,
  textStyle: { fontFamily: tokens.font, color: tokens.text2 },
  aria: { enabled: true, label: { description } },
  tooltip: {
    trigger: 'item',
    confine: true,
    backgroundColor: tokens.overlay,
    borderColor: tokens.border,
    padding: [6, 10],
    textStyle: { color: tokens.text, fontSize: 12 },
  },
});

/** Room for the longest label of lying bars, in px: a longer one breaks. Text of 11 px is about 6 px wide a character. */
export const labelWidth = (labels: readonly string[]): number =>
  Math.min(180, Math.ceil(Math.max(1, ...labels.map((label) => label.length)) * 6.2) + 4);

const axisLabel = (tokens: ChartTokens) => ({ color: tokens.text2, fontSize: 11 });

export interface SeverityChart {
  /** Linear unless told otherwise. */
  scale?: Scale;
  counts: BySeverity;
  tokens: ChartTokens;
  description: string;
}

/** One bar a severity, its number at the end. */
export const severityOption = ({ counts, tokens, description, scale = 'linear' }: SeverityChart): EChartsOption =>
  rowsOption({
    labels: SEVERITIES.map((severity) => t(SEVERITY_LABELS[severity])),
    series: [
      {
        name: t('Findings'),
        data: SEVERITIES.map((severity) => counts[severity]),
        colors: SEVERITIES.map((severity) => tokens.severity[severity]),
      },
    ],
    tokens,
    description,
    scale,
  });

export interface ChartSeries {
  name: string;
  data: readonly number[];
  /** One for all, or one a label. */
  colors: readonly string[];
}

export interface SeriesChart {
  labels: readonly string[];
  series: readonly ChartSeries[];
  tokens: ChartTokens;
  description: string;
  /** Linear unless told otherwise. */
  scale?: Scale;
  /** What stands at the end of a bar; the sum unless given. */
  endOf?: ((index: number) => string) | undefined;
}

/**
 * A gap of one px keeps neighbours apart where colours are hard to tell. A zero is no bar: its border would cut the axis. What is hovered
 * tells its figure, which the length of a small or logarithmic bar does not.
 */
const barOf = (tokens: ChartTokens, { name, data, colors }: ChartSeries, chart: DrawnChart) => ({
  type: 'bar' as const,
  name,
  id: name,
  stack: 'all',
  barMaxWidth: 28,
  cursor: 'pointer',
  // lighting a bar up replaces its element, and a click that began on the old one is lost
  emphasis: { disabled: true },
  data: data.map((value, index) => ({
    value: value === 0 ? '-' : chart.lengths[index],
    // texts and no function: two options are compared as JSON
    tooltip: { formatter: tipOf(chart.labels[index] ?? '', name, value) },
    itemStyle: { color: colors[index] ?? colors[0] ?? tokens.single, borderColor: tokens.surface, borderWidth: 1 },
  })),
});

/** Labels and lengths that the bars of one series are drawn with. */
interface DrawnChart {
  labels: readonly string[];
  lengths: readonly number[];
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** ECharts reads a tip as HTML and braces as its own marks. */
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => HTML[sign] ?? sign).replace(/[{}]/g, ' ');

const tipOf = (label: string, name: string, value: number): string =>
  `${escaped(label)}<br>${escaped(name)} <b>${formatNumber(value)}</b>`;

const bars = ({ labels, series, tokens, scale = 'linear' }: SeriesChart) => {
  const lengths = barLengths(
    series.map(({ data }) => data),
    scale,
  );
  return series.map((one, index) => barOf(tokens, one, { labels, lengths: lengths[index] ?? [] }));
};

const sumAt = (series: readonly ChartSeries[], index: number): number =>
  series.reduce((sum, { data }) => sum + (data[index] ?? 0), 0);

/** Bars that lie, one a label, stacked, with the sum at the end. */
export const rowsOption = (chart: SeriesChart): EChartsOption => {
  const { labels, series, tokens, description, endOf } = chart;
  return {
    ...base(tokens, description),
    grid: { left: 4, right: endOf === undefined ? 48 : 96, top: 4, bottom: 4, containLabel: true },
    // the longest bar takes the whole width
    xAxis: { type: 'value', show: false, max: 'dataMax' },
    yAxis: {
      type: 'category',
      inverse: true,
      data: [...labels],
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { ...axisLabel(tokens), width: labelWidth(labels), overflow: 'break', lineHeight: 13, interval: 0 }, // no text: an option of the chart
    },
    series: [
      ...bars(chart),
      {
        type: 'bar',
        name: t('Total'),
        stack: 'all',
        silent: true,
        tooltip: { show: false },
        // texts and no function: two options are compared as JSON
        data: labels.map((_, index) => ({
          value: 0,
          label: { formatter: endOf?.(index) ?? formatNumber(sumAt(series, index)) },
        })),
        label: { show: true, position: 'right', color: tokens.text, fontSize: 11, fontWeight: 500 },
      },
    ],
  };
};

/** Columns over time, stacked, the first series at the foot. */
export const columnsOption = (chart: SeriesChart): EChartsOption => {
  const { labels, tokens, description, scale = 'linear' } = chart;
  return {
    ...base(tokens, description),
    grid: { left: 4, right: 4, top: 12, bottom: 4, containLabel: true },
    xAxis: {
      type: 'category',
      data: [...labels],
      axisLine: { lineStyle: { color: tokens.border } },
      axisTick: { show: false },
      axisLabel: axisLabel(tokens),
    },
    yAxis: {
      type: 'value',
      // logarithms are no figures to read off
      show: scale === 'linear',
      minInterval: 1,
      splitLine: { lineStyle: { color: tokens.border } },
      axisLabel: { ...axisLabel(tokens), formatter: (value: number) => formatNumber(value) },
    },
    series: bars(chart),
  };
};
