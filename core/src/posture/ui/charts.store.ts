import { makeAutoObservable, observable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import { openFilters } from '../../findings/ui/index.ts';
import { msg } from '../../platform/model/message.ts';
import { withVisibleText } from '../../platform/model/visible-text.ts';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { isAbort } from '../../platform/ui/data/api-error.ts';
import {
  type ChartOfLabels,
  foundChart,
  owaspChart,
  PLAIN_CHART_KEYS,
  PLAIN_CHARTS,
  type PlainChartKey,
} from '../api/chart-routes.ts';
import { findingsChart } from '../api/routes.ts';
import { READY, WITH_PLAN, WITHOUT_PLAN } from '../model/backlog.ts';
import type { Scale } from '../model/bar-lengths.ts';
import {
  type ChartPeriod,
  chartSpans,
  DEFAULT_PERIOD,
  type FindingFilters,
  type OwaspEdition,
} from '../model/charts.ts';

export type LabelChart = Static<typeof ChartOfLabels>['data'];

/** What a person chose on the cards. */
interface Choices {
  period: ChartPeriod;
  edition: OwaspEdition;
  /** Of the findings that are counted. */
  filters: FindingFilters;
}

export interface Reading {
  chart: LabelChart | undefined;
  error: unknown;
}

type Read = (api: ApiClient, choices: Choices, signal: AbortSignal) => Promise<{ data: LabelChart }>;

/** How far remediation is, as bars: each says with which statuses the list shows it. */
const readRemediation: Read = async (api, { filters: counted }, signal) => {
  const { data } = await api.call(findingsChart, { query: { filters: counted }, signal });
  const bars: { label: string; count: number; filters: FindingFilters }[] = [
    { label: msg('Findings'), count: data.total, filters: {} },
    { label: msg('Ready to remediate'), count: data.findings_with_ready_remediate, filters: { status: [...READY] } },
    {
      label: msg('Findings With action plan'),
      count: data.findings_with_remediation,
      filters: { status: [...WITH_PLAN] },
    },
    {
      label: msg('Findings Without action plan'),
      count: data.findings_without_remediation,
      filters: { status: WITHOUT_PLAN.filter((status) => counted.status?.includes(status)) },
    },
  ];
  return {
    data: {
      series: [{ name: msg('Findings'), data: bars.map(({ count }) => count) }],
      labels: bars.map(({ label }) => label),
      segments: [bars.map(({ count, filters }) => (count === 0 ? null : filters))],
      total: data.total,
    },
  };
};

/** Charts that a person chooses something of, or that are made of another answer. All others are read from their entry of the contract. */
const OWN_READS = {
  found: (api, { period, filters }, signal) => api.call(foundChart, { query: { filters, period }, signal }),
  timeToFix: (api, { period, filters: counted }, signal) => {
    const fixed_gt = chartSpans(period, new Date())[0]?.first;
    const filters = { ...counted, ...(fixed_gt === undefined ? {} : { fixed_gt }) };
    return api.call(PLAIN_CHARTS.timeToFix, { query: { filters }, signal });
  },
  owasp: (api, { edition, filters }, signal) => api.call(owaspChart, { query: { filters, edition }, signal }),
  remediation: readRemediation,
} satisfies Record<string, Read>;

export type ChartKey = keyof typeof OWN_READS | PlainChartKey;

/** Charts that look back on the period. */
const OF_PERIOD: readonly ChartKey[] = ['found', 'timeToFix'];

const isOwn = (key: string): key is keyof typeof OWN_READS => key in OWN_READS;

const readOf = (key: ChartKey): Read =>
  isOwn(key)
    ? OWN_READS[key]
    : (api, { filters }, signal) => api.call(PLAIN_CHARTS[key], { query: { filters }, signal });

const KEYS: readonly ChartKey[] = [
  ...new Set<ChartKey>([...Object.keys(OWN_READS).filter(isOwn), ...PLAIN_CHART_KEYS]),
];

/** The charts of the dashboard. Each is read on its own: an error of one leaves the others. */
export class ChartsStore {
  period: ChartPeriod = DEFAULT_PERIOD;
  edition: OwaspEdition = '2025';
  scale: Scale = 'linear';
  /** Repositories that the charts are about; all without one. */
  scope: FindingFilters = {};
  readonly readings = observable.map<ChartKey, Reading>({}, { deep: false });
  readonly #api: ApiClient;
  #abort = new AbortController();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, { readings: false }, { autoBind: true });
  }

  async load(): Promise<void> {
    await Promise.all(KEYS.map((key) => this.read(key)));
  }

  /** Reads one chart again. What came before stays until then. */
  async read(key: ChartKey): Promise<void> {
    const { signal } = this.#abort;
    const { period, edition, scope } = this;
    const filters = { ...openFilters(), ...scope };
    const read = readOf(key);
    const reading = await read(this.#api, { period, edition, filters }, signal).then(
      // the filters of the segments name stored values, as they are
      ({ data }) => ({ chart: withVisibleText(data, ['segments']), error: undefined }),
      (error: unknown) => ({ chart: undefined, error }),
    );
    if (isAbort(reading.error)) return;
    if (scope !== this.scope) return;
    // An answer to an older choice comes too late; the newer one is on its way.
    if ((OF_PERIOD.includes(key) && period !== this.period) || (key === 'owasp' && edition !== this.edition)) return;
    runInAction(() => this.readings.set(key, reading));
  }

  setPeriod(period: ChartPeriod): void {
    if (period === this.period) return;
    this.period = period;
    for (const key of OF_PERIOD) void this.read(key);
  }

  /** The charts of before are gone: they are of other repositories. */
  setScope(scope: FindingFilters): void {
    this.scope = scope;
    this.readings.clear();
  }

  setScale(scale: Scale): void {
    this.scale = scale;
  }

  /** Whether a chart was read and shows nothing. */
  isEmpty(key: ChartKey): boolean {
    const chart = this.readings.get(key)?.chart;
    return chart?.series.every(({ data }) => data.every((count) => count === 0)) === true;
  }

  setEdition(edition: OwaspEdition): void {
    this.edition = edition;
    void this.read('owasp');
  }

  /** Gives up what is being read. The store may be used again: React mounts a screen twice in development. */
  dispose(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }
}
