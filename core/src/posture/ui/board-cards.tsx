import { HTMLSelect } from '@blueprintjs/core';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { msg } from '../../platform/model/message.ts';
import { SEVERITY_LABELS } from '../../platform/model/severity.ts';
import { formatDate, formatFixed } from '../../platform/ui/display/formats.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { MEAN_DAYS } from '../model/backlog.ts';
import type { BoardCard } from '../model/board.ts';
import { type ChartPeriod, OWASP_EDITIONS } from '../model/charts.ts';
import type { ChartTokens } from './charts/chart-options.ts';
import type { ChartsStore, LabelChart } from './charts.store.ts';
import type { DashboardStore } from './dashboard.store.ts';
import type { NamedChart } from './figures-csv.ts';
import { SeriesCard } from './series-card.tsx';
import { SeverityCard } from './severity-card.tsx';

/** How spans of time are called. */
export const PERIODS: Record<ChartPeriod, { label: string; sub: string }> = {
  '30d': { label: msg('30 days'), sub: msg('Open findings by the day they were first found here') },
  '12w': { label: msg('12 weeks'), sub: msg('Open findings by the week they were first found here') },
  '12m': { label: msg('12 months'), sub: msg('Open findings by the month they were first found here') },
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
  const target = /, (\d+) d$/.exec(chart.labels[index] ?? '')?.[1];
  const days = formatFixed(mean ?? 0, 1);
  return target === undefined ? t('{days} d', { days }) : t('{days} d, target {target}', { days, target });
};

interface CardProps {
  charts: ChartsStore;
}

const FoundCard = observer(function FoundCard({ charts }: CardProps) {
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
    />
  );
});

const OwaspCard = observer(function OwaspCard({ charts }: { charts: ChartsStore }) {
  return (
    <SeriesCard
      store={charts}
      of="owasp"
      title={t('OWASP Top 10, {edition}', { edition: String(charts.edition) })}
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

/** The card of each key of the board. */
export const CARDS: Readonly<Record<BoardCard, { title: string; card: (store: DashboardStore) => ReactNode }>> = {
  severity: { title: msg('By severity'), card: (store) => <SeverityCard store={store} /> },
  repositories: {
    title: msg('Repositories'),
    card: ({ charts }) => (
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
    ),
  },
  owners: {
    title: msg('Owners'),
    card: ({ charts }) => (
      <SeriesCard
        store={charts}
        of="owners"
        title={t('Owners')}
        sub={(chart) =>
          plural(
            chart?.total ?? 0,
            '{shown} of {count} finding has an owner',
            '{shown} of {count} findings have an owner',
            {
              shown: shown(chart),
            },
          )
        }
        head={t('Owner')}
        empty={t('Nobody owns an open finding')}
      />
    ),
  },
  overdue: {
    title: msg('Past target'),
    card: ({ charts }) => (
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
    ),
  },
  age: {
    title: msg('Age of the backlog'),
    card: ({ charts }) => (
      <SeriesCard
        store={charts}
        of="age"
        title={t('Age of the backlog')}
        sub={() => t('Open findings by days since they were first found here')}
        nameOf={ageName}
        head={t('Age')}
        empty={t('Nothing is open')}
      />
    ),
  },
  found: { title: msg('Found over time'), card: ({ charts }) => <FoundCard charts={charts} /> },
  timeToFix: {
    title: msg('Mean time to fix'),
    card: ({ charts }) => (
      <SeriesCard
        store={charts}
        of="timeToFix"
        title={t('Mean time to fix')}
        sub={(chart) =>
          t('Days from first found here to closed, {count} fixed in the period', { count: chart?.total ?? 0 })
        }
        head={t('Severity and target')}
        empty={t('Nothing was fixed in this time')}
        nameOf={withSeverity}
        shortOf={(label) => withSeverity(label.replace(/, \d+ d$/, ''))}
        colorsOf={ofSeverities}
        drawn={[MEAN_DAYS]}
        endOf={fixedAt}
      />
    ),
  },
  remediation: {
    title: msg('Remediation'),
    card: ({ charts }) => (
      <SeriesCard
        store={charts}
        of="remediation"
        title={t('Remediation')}
        sub={() => t('By action plan; ready ones are among those with a plan')}
        nameOf={(label) => t(label)}
        head={t('Readiness')}
        empty={t('Nothing is open')}
      />
    ),
  },
  owasp: { title: msg('OWASP Top 10'), card: ({ charts }) => <OwaspCard charts={charts} /> },
  slsa: {
    title: msg('SLSA threats'),
    card: ({ charts }) => (
      <SeriesCard
        store={charts}
        of="slsa"
        title={t('SLSA threats')}
        sub={() => t('SLSA 1.0, A to H; a finding may bear on several')}
        head={t('Threat')}
        empty={t('No open finding bears on an SLSA threat')}
      />
    ),
  },
  cicd: {
    title: msg('CI/CD risks'),
    card: ({ charts }) => (
      <SeriesCard
        store={charts}
        of="cicd"
        title={t('CI/CD risks')}
        sub={() => t('OWASP Top 10 CI/CD; a finding may bear on several')}
        head={t('Risk')}
        empty={t('No open finding bears on a CI/CD risk')}
        shortOf={(label) => label.replace('CICD-SEC-', '')}
      />
    ),
  },
  supplyChain: {
    title: msg('Supply chain'),
    card: ({ charts }) => (
      <SeriesCard
        store={charts}
        of="supplyChain"
        title={t('Supply chain')}
        sub={() => t('Build, dependencies and source')}
        nameOf={(label) => t(label)}
        head={t('Part')}
        empty={t('No open finding bears on the supply chain')}
      />
    ),
  },
};

/** Figures that come without a chart of the server. */
const plainChart = (title: string, bars: readonly { label: string; count: number }[]): NamedChart => ({
  title,
  chart: {
    labels: bars.map(({ label }) => label),
    series: [{ name: t('Findings'), data: bars.map(({ count }) => count) }],
  },
});

/** Every figure that shows, for the export: what the week changed, then the cards of the board. */
export const namedCharts = ({ board, charts, bySeverity, changes }: DashboardStore): NamedChart[] => [
  ...(changes === undefined
    ? []
    : [
        plainChart(t('Since last week'), [
          { label: t('New findings'), count: changes.found.count },
          { label: t('Fixed findings'), count: changes.fixed.count },
          { label: t('Verdicts and findings that came back'), count: changes.other },
          { label: t('Change of open findings'), count: changes.net },
        ]),
      ]),
  ...board.shown.flatMap((card) => {
    const title = t(CARDS[card].title);
    if (card === 'severity') {
      return plainChart(
        title,
        SEVERITIES.map((severity) => ({ label: t(SEVERITY_LABELS[severity]), count: bySeverity[severity] })),
      );
    }
    const chart = charts.readings.get(card)?.chart;
    return chart === undefined ? [] : [{ title, chart }];
  }),
];
