import { HTMLSelect } from '@blueprintjs/core';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { SEVERITY_LABELS } from '../../platform/model/severity.ts';
import { formatAmount, formatDate, formatNumber } from '../../platform/ui/display/formats.ts';
import { TARGET_DAYS } from '../model/backlog.ts';
import { CHART_PERIODS, type ChartPeriod, OWASP_EDITIONS } from '../model/charts.ts';
import type { ChartTokens } from './charts/chart-options.ts';
import type { ChartsStore, LabelChart } from './charts.store.ts';
import type { DashboardStore } from './dashboard.store.ts';
import { SeriesCard } from './series-card.tsx';
import { SeverityCard } from './severity-card.tsx';

const PERIODS: Record<ChartPeriod, { label: string; sub: string }> = {
  '30d': { label: '30 days', sub: 'Open findings by day found' },
  '12w': { label: '12 weeks', sub: 'Open findings by week found' },
  '12m': { label: '12 months', sub: 'Open findings by month found' },
};

const shown = (chart: LabelChart | undefined): number =>
  chart?.series.reduce((sum, { data }) => sum + data.reduce((all, count) => all + count, 0), 0) ?? 0;

/** `A01:2025 Broken Access Control` → `A01 Broken Access Control`. */
const withoutEdition = (label: string): string => label.replace(/^(A\d\d):\d{4}/, '$1');

/** `critical, 1 d` → `Critical, 1 d`; a severity alone gets its word. */
const withSeverity = (label: string): string => {
  const severity = SEVERITIES.find((one) => label === one || label.startsWith(`${one},`));
  return severity === undefined ? label : label.replace(severity, SEVERITY_LABELS[severity]);
};

const ofSeverities = (_series: string, tokens: ChartTokens): string[] =>
  SEVERITIES.map((severity) => tokens.severity[severity]);

const ofTarget = (series: string, tokens: ChartTokens): string[] => [series === 'Overdue' ? tokens.bad : tokens.quiet];

const fixedAt = (chart: LabelChart, index: number): string => {
  const [mean, fixed] = chart.series.map(({ data }) => data[index] ?? 0);
  if (fixed === undefined || fixed === 0) return '-';
  const severity = SEVERITIES[index];
  const target = severity === undefined ? undefined : TARGET_DAYS[severity];
  return `${(mean ?? 0).toFixed(1)} d${target === undefined ? '' : `, target ${target}`}`;
};

const FoundCard = observer(function FoundCard({ charts }: { charts: ChartsStore }) {
  return (
    <SeriesCard
      store={charts}
      of="found"
      shape="columns"
      title="Found over time"
      sub={() => PERIODS[charts.period].sub}
      head="Up to"
      empty="Nothing that is open was found in this time"
      nameOf={(label) => formatDate(label)}
      controls={
        <HTMLSelect
          className="period"
          aria-label="Period"
          value={charts.period}
          onChange={(event) => {
            const chosen = CHART_PERIODS.find((one) => one === event.currentTarget.value);
            if (chosen !== undefined) charts.setPeriod(chosen);
          }}
          options={CHART_PERIODS.map((value) => ({ value, label: PERIODS[value].label }))}
        />
      }
    />
  );
});

const OwaspCard = observer(function OwaspCard({ charts }: { charts: ChartsStore }) {
  return (
    <SeriesCard
      store={charts}
      of="owasp"
      title={`OWASP Top 10, ${charts.edition}`}
      sub={(chart) => `${formatNumber(shown(chart))} of ${formatAmount(chart?.total ?? 0, 'finding')}`}
      head="Category"
      empty="No open finding is in the OWASP Top 10"
      shortOf={withoutEdition}
      controls={
        <HTMLSelect
          className="period"
          aria-label="Edition"
          value={charts.edition}
          onChange={(event) => {
            const chosen = OWASP_EDITIONS.find((one) => one === event.currentTarget.value);
            if (chosen !== undefined) charts.setEdition(chosen);
          }}
          options={[...OWASP_EDITIONS]}
        />
      }
    />
  );
});

/** Where findings bear on the supply chain: one may be in several places. */
function SupplyChainCards({ charts }: { charts: ChartsStore }) {
  return (
    <>
      <SeriesCard
        store={charts}
        of="slsa"
        title="SLSA threats"
        sub={() => 'SLSA 1.0, A to H; a finding may bear on several'}
        head="Threat"
        empty="No open finding bears on an SLSA threat"
      />
      <SeriesCard
        store={charts}
        of="cicd"
        title="CI/CD risks"
        sub={() => 'OWASP Top 10 CI/CD; a finding may bear on several'}
        head="Risk"
        empty="No open finding bears on a CI/CD risk"
        shortOf={(label) => label.replace('CICD-SEC-', '')}
      />
      <SeriesCard
        store={charts}
        of="supplyChain"
        title="Supply chain"
        sub={() => 'Build, dependencies and source'}
        head="Part"
        empty="No open finding bears on the supply chain"
      />
    </>
  );
}

/** Age, targets and how far the work is. */
function WorkCards({ charts }: { charts: ChartsStore }) {
  return (
    <>
      <SeriesCard
        store={charts}
        of="remediation"
        title="Remediation"
        sub={() => 'By action plan; ready ones are among those with a plan'}
        head="Readiness"
        empty="Nothing is open"
      />
      <SeriesCard
        store={charts}
        of="age"
        title="Age of the backlog"
        sub={() => 'Open findings by days since they were found'}
        head="Age"
        empty="Nothing is open"
      />
      <SeriesCard
        store={charts}
        of="overdue"
        title="Past target"
        sub={(chart) =>
          `${formatNumber(chart?.series[0]?.data.reduce((a, b) => a + b, 0) ?? 0)} overdue; days to fix by severity`
        }
        head="Severity and target"
        empty="Nothing that has a target is open"
        nameOf={withSeverity}
        colorsOf={ofTarget}
      />
      <SeriesCard
        store={charts}
        of="timeToFix"
        title="Mean time to fix"
        sub={(chart) => `Days from first seen to closed, ${formatNumber(chart?.total ?? 0)} fixed`}
        head="Severity"
        empty="Nothing has been fixed yet"
        nameOf={withSeverity}
        colorsOf={ofSeverities}
        drawn={['Mean days']}
        endOf={fixedAt}
      />
    </>
  );
}

/** All charts of the dashboard. */
export function DashboardCharts({ store, charts }: { store: DashboardStore; charts: ChartsStore }) {
  return (
    <div className="cards dashboard-cards">
      <FoundCard charts={charts} />
      <SeverityCard store={store} />
      <OwaspCard charts={charts} />
      <SupplyChainCards charts={charts} />
      <SeriesCard
        store={charts}
        of="repositories"
        title="Repositories"
        sub={(chart) =>
          (chart?.labels.length ?? 0) > 10
            ? 'The ten with the most open findings; the table has more'
            : 'By open findings'
        }
        head="Repository"
        empty="No repository has open findings"
      />
      <WorkCards charts={charts} />
    </div>
  );
}
