import { HTMLSelect } from '@blueprintjs/core';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { msg } from '../../platform/model/message.ts';
import { SEVERITY_LABELS } from '../../platform/model/severity.ts';
import { formatDate } from '../../platform/ui/display/formats.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { TARGET_DAYS } from '../model/backlog.ts';
import { CHART_PERIODS, type ChartPeriod, OWASP_EDITIONS } from '../model/charts.ts';
import type { ChartTokens } from './charts/chart-options.ts';
import type { ChartsStore, LabelChart } from './charts.store.ts';
import type { DashboardStore } from './dashboard.store.ts';
import { SeriesCard } from './series-card.tsx';
import { SeverityCard } from './severity-card.tsx';

const PERIODS: Record<ChartPeriod, { label: string; sub: string }> = {
  '30d': { label: msg('30 days'), sub: msg('Open findings by day found') },
  '12w': { label: msg('12 weeks'), sub: msg('Open findings by week found') },
  '12m': { label: msg('12 months'), sub: msg('Open findings by month found') },
};

const shown = (chart: LabelChart | undefined): number =>
  chart?.series.reduce((sum, { data }) => sum + data.reduce((all, count) => all + count, 0), 0) ?? 0;

/** `A01:2025 Broken Access Control` → `A01 Broken Access Control`. */
const withoutEdition = (label: string): string => label.replace(/^(A\d\d):\d{4}/, '$1');

/** `8-30 days`, `Over a year`. */
const ageName = (label: string): string => {
  const [, from, to] = /^(\d+)-(\d+) days$/.exec(label) ?? [];
  return from === undefined || to === undefined ? t(label) : t('{from}-{to} days', { from, to });
};

/** `critical, 1 d` → `Critical, 1 d`; a severity alone gets its word. */
const withSeverity = (label: string): string => {
  const severity = SEVERITIES.find((one) => label === one || label.startsWith(`${one},`));
  return severity === undefined ? label : label.replace(severity, t(SEVERITY_LABELS[severity]));
};

const ofSeverities = (_series: string, tokens: ChartTokens): string[] =>
  SEVERITIES.map((severity) => tokens.severity[severity]);

const ofTarget = (series: string, tokens: ChartTokens): string[] => [series === 'Overdue' ? tokens.bad : tokens.quiet];

const fixedAt = (chart: LabelChart, index: number): string => {
  const [mean, fixed] = chart.series.map(({ data }) => data[index] ?? 0);
  if (fixed === undefined || fixed === 0) return '-';
  const severity = SEVERITIES[index];
  const target = severity === undefined ? undefined : TARGET_DAYS[severity];
  const days = (mean ?? 0).toFixed(1);
  return target === undefined ? t('{days} d', { days }) : t('{days} d, target {target}', { days, target });
};

const FoundCard = observer(function FoundCard({ charts }: { charts: ChartsStore }) {
  return (
    <SeriesCard
      store={charts}
      of="found"
      shape="columns"
      title={t('Found over time')}
      sub={() => t(PERIODS[charts.period].sub)}
      head={t('Up to')}
      empty={t('Nothing that is open was found in this time')}
      nameOf={(label) => formatDate(label)}
      controls={
        <HTMLSelect
          className="period"
          aria-label={t('Period')}
          value={charts.period}
          onChange={(event) => {
            const chosen = CHART_PERIODS.find((one) => one === event.currentTarget.value);
            if (chosen !== undefined) charts.setPeriod(chosen);
          }}
          options={CHART_PERIODS.map((value) => ({ value, label: t(PERIODS[value].label) }))}
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
      sub={(chart) =>
        plural(chart?.total ?? 0, '{shown} of {count} finding', '{shown} of {count} findings', { shown: shown(chart) })
      }
      head={t('Category')}
      empty={t('No open finding is in the OWASP Top 10')}
      shortOf={withoutEdition}
      controls={
        <HTMLSelect
          className="period"
          aria-label={t('Edition')}
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
        title={t('SLSA threats')}
        sub={() => t('SLSA 1.0, A to H; a finding may bear on several')}
        head={t('Threat')}
        empty={t('No open finding bears on an SLSA threat')}
      />
      <SeriesCard
        store={charts}
        of="cicd"
        title={t('CI/CD risks')}
        sub={() => t('OWASP Top 10 CI/CD; a finding may bear on several')}
        head={t('Risk')}
        empty={t('No open finding bears on a CI/CD risk')}
        shortOf={(label) => label.replace('CICD-SEC-', '')}
      />
      <SeriesCard
        store={charts}
        of="supplyChain"
        title={t('Supply chain')}
        sub={() => t('Build, dependencies and source')}
        nameOf={(label) => t(label)}
        head={t('Part')}
        empty={t('No open finding bears on the supply chain')}
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
        title={t('Remediation')}
        sub={() => t('By action plan; ready ones are among those with a plan')}
        nameOf={(label) => t(label)}
        head={t('Readiness')}
        empty={t('Nothing is open')}
      />
      <SeriesCard
        store={charts}
        of="age"
        title={t('Age of the backlog')}
        sub={() => t('Open findings by days since they were found')}
        nameOf={ageName}
        head={t('Age')}
        empty={t('Nothing is open')}
      />
      <SeriesCard
        store={charts}
        of="overdue"
        title={t('Past target')}
        sub={(chart) =>
          t('{count} overdue; days to fix by severity', {
            count: chart?.series[0]?.data.reduce((a, b) => a + b, 0) ?? 0,
          })
        }
        head={t('Severity and target')}
        empty={t('Nothing that has a target is open')}
        nameOf={withSeverity}
        colorsOf={ofTarget}
      />
      <SeriesCard
        store={charts}
        of="timeToFix"
        title={t('Mean time to fix')}
        sub={(chart) => t('Days from first seen to closed, {count} fixed', { count: chart?.total ?? 0 })}
        head={t('Severity')}
        empty={t('Nothing has been fixed yet')}
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
        title={t('Repositories')}
        sub={(chart) =>
          (chart?.labels.length ?? 0) > 10
            ? t('The ten with the most open findings; the table has more')
            : t('By open findings')
        }
        head={t('Repository')}
        empty={t('No repository has open findings')}
      />
      <WorkCards charts={charts} />
    </div>
  );
}
