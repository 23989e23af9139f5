import { HTMLSelect } from '@blueprintjs/core';
import { Shield } from '@blueprintjs/icons';
import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { Link, useNavigate } from 'react-router-dom';
import { findingsHref } from '../../../findings/ui/index.ts';
import { EmptyState } from '../../../platform/ui/empty-state.tsx';
import { ErrorState } from '../../../platform/ui/error-state.tsx';
import { formatNumber } from '../../../platform/ui/number-format.ts';
import { SEVERITY_LABELS, SeverityShape } from '../../../platform/ui/severity-badge.tsx';
import { formatDate } from '../../../platform/ui/time-format.ts';
import { CHART_PERIODS } from '../../model/chart-choices.ts';
import { severityOption, trendOption } from '../chart-options.ts';
import type { DashboardStore, Period } from '../dashboard.store.ts';
import { ChartCard } from './chart-card.tsx';

const PERIODS: Record<Period, { label: string; sub: string }> = {
  '30d': { label: '30 days', sub: 'End of each day' },
  '12w': { label: '12 weeks', sub: 'End of each week' },
  '12m': { label: '12 months', sub: 'End of each month' },
};

const severityHref = (severity: Severity): string => findingsHref({ severity: [severity] });

function SeverityLegend() {
  return (
    <div className="legend">
      {SEVERITIES.map((severity) => (
        <Link key={severity} to={severityHref(severity)}>
          <SeverityShape severity={severity} /> {SEVERITY_LABELS[severity]}
        </Link>
      ))}
    </div>
  );
}

interface ChartProps {
  store: DashboardStore;
}

function PeriodSelect({ period, onPeriod }: { period: Period; onPeriod: (period: Period) => void }) {
  return (
    <HTMLSelect
      className="period"
      aria-label="Period"
      value={period}
      onChange={(event) => {
        const chosen = CHART_PERIODS.find((one) => one === event.currentTarget.value);
        if (chosen !== undefined) onPeriod(chosen);
      }}
      options={CHART_PERIODS.map((value) => ({ value, label: PERIODS[value].label }))}
    />
  );
}

const TrendTable = observer(function TrendTable({ store }: ChartProps) {
  return (
    <table className="mini">
      <thead>
        <tr>
          <th>Day</th>
          {SEVERITIES.map((severity) => (
            <th key={severity} className="num">
              {SEVERITY_LABELS[severity].slice(0, severity === 'informational' ? 4 : undefined)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...(store.trend ?? [])].reverse().map(({ date, counts }) => (
          <tr key={date}>
            <td>{formatDate(date)}</td>
            {SEVERITIES.map((severity) => (
              <td key={severity} className="num">
                {formatNumber(counts[severity])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
});

/** Open findings by severity, at the end of each day, week or month. */
export const TrendCard = observer(function TrendCard({ store }: ChartProps) {
  const navigate = useNavigate();
  const points = store.trend ?? [];
  const isEmpty =
    store.trend !== undefined && points.every(({ counts }) => SEVERITIES.every((one) => counts[one] === 0));
  return (
    <ChartCard
      title="Open findings by severity"
      sub={PERIODS[store.period].sub}
      controls={<PeriodSelect period={store.period} onPeriod={store.setPeriod} />}
      option={(tokens, description) => trendOption({ points, tokens, description })}
      table={<TrendTable store={store} />}
      legend={<SeverityLegend />}
      instead={
        store.trendError !== undefined ? (
          <ErrorState
            title="The chart could not be read"
            error={store.trendError}
            onRetry={() => void store.loadTrend()}
          />
        ) : isEmpty ? (
          <EmptyState icon={<Shield size={20} />} title="Nothing was open in this time" />
        ) : undefined
      }
      onChoose={({ seriesIndex, dataIndex }) => {
        // Only the last column is what the list shows now; the others are history.
        const severity = SEVERITIES[seriesIndex];
        if (severity !== undefined && dataIndex === points.length - 1) navigate(severityHref(severity));
      }}
    />
  );
});

/** Open findings by severity now; each bar leads to its rows. */
export const SeverityCard = observer(function SeverityCard({ store }: ChartProps) {
  const navigate = useNavigate();
  const counts = store.bySeverity;
  const open = store.totals?.open ?? 0;
  return (
    <ChartCard
      title="By severity now"
      sub={`${formatNumber(open)} open ${open === 1 ? 'finding' : 'findings'}`}
      option={(tokens, description) => severityOption({ counts, tokens, description })}
      table={
        <table className="mini">
          <thead>
            <tr>
              <th>Severity</th>
              <th className="num">Findings</th>
            </tr>
          </thead>
          <tbody>
            {SEVERITIES.map((severity) => (
              <tr key={severity}>
                <td>
                  <SeverityShape severity={severity} /> {SEVERITY_LABELS[severity]}
                </td>
                <td className="num">
                  <Link to={severityHref(severity)}>{formatNumber(counts[severity])}</Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      }
      legend={<SeverityLegend />}
      instead={open === 0 ? <EmptyState icon={<Shield size={20} />} title="Nothing is open" /> : undefined}
      onChoose={({ dataIndex }) => {
        const severity = SEVERITIES[dataIndex];
        if (severity !== undefined) navigate(severityHref(severity));
      }}
    />
  );
});
