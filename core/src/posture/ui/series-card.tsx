import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useMemo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { SEVERITY_LABELS } from '../../platform/model/severity.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { SeverityShape } from '../../platform/ui/display/badges.tsx';
import { formatFixed, formatNumber } from '../../platform/ui/display/formats.ts';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { THEME } from '../../platform/ui/page/theme.store.ts';
import { MEAN_DAYS } from '../model/backlog.ts';
import type { Scale } from '../model/bar-lengths.ts';
import type { FindingFilters } from '../model/charts.ts';
import { useFindingsHref } from './chart-place.ts';
import { ChartCard } from './charts/chart-card.tsx';
import { type ChartSeries, type ChartTokens, columnsOption, readTokens, rowsOption } from './charts/chart-options.ts';
import type { ChartKey, ChartsStore, LabelChart } from './charts.store.ts';
import { EmptyChart } from './empty-chart.tsx';

/** A chart names this many labels at most; its table names all. */
const MAX_BARS = 10;

const severityOf = (name: string): Severity | undefined => SEVERITIES.find((severity) => severity === name);

const seriesLabel = (name: string): string => {
  const severity = severityOf(name);
  return t(severity === undefined ? name : SEVERITY_LABELS[severity]);
};

/** Over a narrow column of figures. */
const shortLabel = (name: string): string => (severityOf(name) === 'informational' ? t('Info') : seriesLabel(name));

const isBySeverity = (chart: LabelChart): boolean => chart.series.every(({ name }) => severityOf(name) !== undefined);

/** What the list must be asked for to show all of a label: its segments without their severity. */
const labelFilters = (chart: LabelChart, label: number): FindingFilters | undefined => {
  const segment = chart.segments.flatMap((row) => row[label] ?? []).at(0);
  if (segment === undefined) return undefined;
  const { severity: _severity, ...filters } = segment;
  return filters;
};

function Figure({ count, filters }: { count: number; filters: FindingFilters | null | undefined }) {
  const findingsHref = useFindingsHref();
  if (filters === null || filters === undefined) return <>{formatNumber(count)}</>;
  return <Link to={findingsHref(filters)}>{formatNumber(count)}</Link>;
}

interface TableProps {
  chart: LabelChart;
  /** Columns over time: what is newest comes first. */
  isOverTime: boolean;
  head: string;
  nameOf: (label: string) => string;
}

/** The numbers of a chart; each leads to its findings. */
function SeriesTable({ chart, isOverTime, head, nameOf }: TableProps) {
  const rows = chart.labels.map((label, index) => ({ label, index }));
  if (isOverTime) rows.reverse();
  const hasTotal = isBySeverity(chart);
  return (
    <table className="mini">
      <thead>
        <tr>
          <th className="wide">{head}</th>
          {hasTotal && <th className="num">{t('All')}</th>}
          {chart.series.map(({ name }) => (
            <th key={name} className="num" title={seriesLabel(name)}>
              {shortLabel(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, index }) => (
          <tr key={label}>
            <td title={nameOf(label)}>{nameOf(label)}</td>
            {hasTotal && (
              <td className="num">
                <Figure
                  count={chart.series.reduce((sum, { data }) => sum + (data[index] ?? 0), 0)}
                  filters={labelFilters(chart, index)}
                />
              </td>
            )}
            {chart.series.map(({ name, data }, series) => (
              <td key={name} className="num">
                {name === MEAN_DAYS ? (
                  formatFixed(data[index] ?? 0, 1)
                ) : (
                  <Figure count={data[index] ?? 0} filters={chart.segments[series]?.[index]} />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The colours of severities, once for all cards. */
export function SeverityLegend() {
  return (
    <div className="legend">
      {SEVERITIES.map((severity) => (
        <span key={severity}>
          <SeverityShape severity={severity} /> {t(SEVERITY_LABELS[severity])}
        </span>
      ))}
    </div>
  );
}

const colored = (
  { series }: Pick<LabelChart, 'series'>,
  tokens: ChartTokens,
  colorsOf: SeriesCardProps['colorsOf'],
): ChartSeries[] =>
  series.map(({ name, data }) => {
    const severity = severityOf(name);
    const colors = colorsOf?.(name, tokens) ?? [severity === undefined ? tokens.single : tokens.severity[severity]];
    return { name: seriesLabel(name), data, colors };
  });

/** The colours of drawn series that are no severities. */
function SeriesLegend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <div className="legend">
      {series.map(({ name, colors }) => (
        <span key={name}>
          <svg width={10} height={10} aria-hidden="true">
            <rect width={10} height={10} rx={2} fill={colors[0]} />
          </svg>
          {name}
        </span>
      ))}
    </div>
  );
}

/** What is drawn of a chart: not all labels of a long one. */
const cut = (chart: LabelChart): LabelChart => ({
  ...chart,
  labels: chart.labels.slice(0, MAX_BARS),
  series: chart.series.map(({ name, data }) => ({ name, data: data.slice(0, MAX_BARS) })),
});

export interface SeriesCardProps {
  store: ChartsStore;
  of: ChartKey;
  title: string;
  /** One line under the title. */
  sub: (chart: LabelChart | undefined) => string;
  /** Over the first column of the table. */
  head: string;
  /** What an empty chart says. */
  empty: string;
  shape?: 'rows' | 'columns';
  nameOf?: (label: string) => string;
  /** As it stands on the axis, where there is less room. */
  shortOf?: (label: string) => string;
  colorsOf?: (series: string, tokens: ChartTokens) => string[] | undefined;
  /** Only these series are drawn; the table has all. */
  drawn?: readonly string[];
  endOf?: (chart: LabelChart, index: number) => string;
  controls?: ReactNode;
}

/** Two series and more need their names; one has the card's. */
const OtherLegend = observer(function OtherLegend({ chart, drawn, colorsOf }: SeriesCardProps & { chart: LabelChart }) {
  const { isDark } = useService(THEME);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens are other ones in the other mode
  const tokens = useMemo(() => readTokens(document.documentElement), [isDark]);
  if (drawn !== undefined || chart.series.length < 2) return null;
  return <SeriesLegend series={colored(chart, tokens, colorsOf)} />;
});

const same = (label: string): string => label;

/** How a chart is drawn: bars or columns, only the series that are asked for. */
const optionOf = (
  { drawn, endOf, colorsOf, shape = 'rows', nameOf = same, shortOf = nameOf }: SeriesCardProps,
  whole: LabelChart | undefined,
  { tokens, description, scale }: { tokens: ChartTokens; description: string; scale: Scale },
) => {
  const chart = whole === undefined ? undefined : shape === 'rows' ? cut(whole) : whole;
  const all = chart?.series ?? [];
  const series = drawn === undefined ? all : all.filter(({ name }) => drawn.includes(name));
  return (shape === 'rows' ? rowsOption : columnsOption)({
    labels: (chart?.labels ?? []).map((label) => shortOf(label)),
    series: colored({ series }, tokens, colorsOf),
    tokens,
    description,
    scale,
    ...(endOf === undefined || whole === undefined ? {} : { endOf: (index: number) => endOf(whole, index) }),
  });
};

/** One chart over labels: bars or columns, and a table with the same numbers. Each segment leads to the list that has its findings. */
export const SeriesCard = observer(function SeriesCard(props: SeriesCardProps) {
  const { store, of, title, sub, head, empty, shape = 'rows', nameOf = same } = props;
  const navigate = useNavigate();
  const findingsHref = useFindingsHref();
  const reading = store.readings.get(of);
  const whole = reading?.chart;
  const isEmpty = store.isEmpty(of);
  return (
    <ChartCard
      title={title}
      sub={sub(whole)}
      controls={props.controls}
      rows={shape === 'rows' ? Math.min(whole?.labels.length ?? 0, MAX_BARS) : 0}
      option={(tokens, description) => optionOf(props, whole, { tokens, description, scale: store.scale })}
      table={
        whole === undefined ? null : (
          <SeriesTable chart={whole} isOverTime={shape === 'columns'} head={head} nameOf={nameOf} />
        )
      }
      legend={whole !== undefined && !isBySeverity(whole) && <OtherLegend chart={whole} {...props} />}
      instead={
        reading?.error !== undefined ? (
          <ErrorState
            title={t('The chart could not be read')}
            error={reading.error}
            onRetry={() => void store.read(of)}
          />
        ) : whole === undefined ? (
          <Skeleton width="60%" />
        ) : isEmpty ? (
          <EmptyChart title={empty} />
        ) : undefined
      }
      onChoose={({ seriesIndex, dataIndex }) => {
        const filters =
          whole?.segments[seriesIndex]?.[dataIndex] ?? whole?.segments.flatMap((row) => row[dataIndex] ?? []).at(0);
        if (filters !== undefined) navigate(findingsHref(filters));
      }}
    />
  );
});
