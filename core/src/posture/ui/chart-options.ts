import { SEVERITIES, type Severity } from '@breakwater/sdk';
import type { EChartsOption } from 'echarts';
import { formatNumber } from '../../platform/ui/number-format.ts';
import { SEVERITY_LABELS } from '../../platform/ui/severity-badge.tsx';
import { formatDate } from '../../platform/ui/time-format.ts';
import type { BySeverity, TrendPoint } from './dashboard.store.ts';

/** Colours and type of the page as they are now: light or dark. */
export interface ChartTokens {
  severity: Record<Severity, string>;
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

const axisLabel = (tokens: ChartTokens) => ({ color: tokens.text2, fontSize: 11 });

/** A gap of one px keeps neighbours apart where colours are hard to tell. */
const segment = (tokens: ChartTokens, severity: Severity) => ({
  color: tokens.severity[severity],
  borderColor: tokens.surface,
  borderWidth: 1,
});

export interface TrendChart {
  points: readonly TrendPoint[];
  tokens: ChartTokens;
  description: string;
}

/** Stacked columns over time, critical at the foot. */
export const trendOption = ({ points, tokens, description }: TrendChart): EChartsOption => ({
  ...base(tokens, description),
  grid: { left: 4, right: 4, top: 12, bottom: 4, containLabel: true },
  xAxis: {
    type: 'category',
    data: points.map(({ date }) => formatDate(date)),
    axisLine: { lineStyle: { color: tokens.border } },
    axisTick: { show: false },
    axisLabel: axisLabel(tokens),
  },
  yAxis: {
    type: 'value',
    minInterval: 1,
    splitLine: { lineStyle: { color: tokens.border } },
    axisLabel: { ...axisLabel(tokens), formatter: (value: number) => formatNumber(value) },
  },
  series: SEVERITIES.map((severity) => ({
    type: 'bar',
    name: SEVERITY_LABELS[severity],
    id: severity,
    stack: 'open',
    barMaxWidth: 28,
    barMinHeight: 0,
    cursor: 'default',
    itemStyle: segment(tokens, severity),
    // A zero is no bar: its border would cut the axis.
    data: points.map(({ counts }) => counts[severity] || '-'),
  })),
});

export interface SeverityChart {
  counts: BySeverity;
  tokens: ChartTokens;
  description: string;
}

/** One bar a severity, its number at the end. */
export const severityOption = ({ counts, tokens, description }: SeverityChart): EChartsOption => ({
  ...base(tokens, description),
  grid: { left: 4, right: 44, top: 4, bottom: 4, containLabel: true },
  xAxis: { type: 'value', show: false },
  yAxis: {
    type: 'category',
    inverse: true,
    data: SEVERITIES.map((severity) => SEVERITY_LABELS[severity]),
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: axisLabel(tokens),
  },
  series: [
    {
      type: 'bar',
      barWidth: 20,
      cursor: 'pointer',
      label: {
        show: true,
        position: 'right',
        color: tokens.text,
        fontSize: 11,
        fontWeight: 500,
        formatter: ({ value }) => formatNumber(Number(value)),
      },
      data: SEVERITIES.map((severity) => ({
        id: severity,
        value: counts[severity],
        itemStyle: segment(tokens, severity),
      })),
    },
  ],
});
