import { makeAutoObservable, observable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import { openFilters } from '../../findings/ui/index.ts';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { isAbort } from '../../platform/ui/data/api-error.ts';
import {
  backlogAgeChart,
  type ChartOfLabels,
  findingsByRepoChart,
  foundChart,
  overdueChart,
  owaspChart,
  owaspCicdChart,
  slsaThreatsChart,
  supplyChainChart,
  timeToFixChart,
} from '../api/chart-routes.ts';
import { findingsChart } from '../api/routes.ts';
import { READY, WITH_PLAN, WITHOUT_PLAN } from '../model/backlog.ts';
import type { ChartPeriod, FindingFilters, OwaspEdition } from '../model/charts.ts';

export type LabelChart = Static<typeof ChartOfLabels>['data'];

/** What a person chose on the cards. */
interface Choices {
  period: ChartPeriod;
  edition: OwaspEdition;
}

export interface Reading {
  chart: LabelChart | undefined;
  error: unknown;
}

type Read = (api: ApiClient, choices: Choices, signal: AbortSignal) => Promise<{ data: LabelChart }>;

const query = () => ({ filters: openFilters() });

/** How far remediation is, as bars: each says with which statuses the list shows it. */
const readRemediation: Read = async (api, _choices, signal) => {
  const { data } = await api.call(findingsChart, { query: query(), signal });
  const bars: { label: string; count: number; filters: FindingFilters }[] = [
    { label: 'Findings', count: data.total, filters: {} },
    { label: 'Ready to remediate', count: data.findings_with_ready_remediate, filters: { status: [...READY] } },
    { label: 'Findings With action plan', count: data.findings_with_remediation, filters: { status: [...WITH_PLAN] } },
    {
      label: 'Findings Without action plan',
      count: data.findings_without_remediation,
      filters: { status: WITHOUT_PLAN.filter((status) => query().filters.status?.includes(status)) },
    },
  ];
  return {
    data: {
      series: [{ name: 'Findings', data: bars.map(({ count }) => count) }],
      labels: bars.map(({ label }) => label),
      segments: [bars.map(({ count, filters }) => (count === 0 ? null : filters))],
      total: data.total,
    },
  };
};

const READS = {
  found: (api, { period }, signal) => api.call(foundChart, { query: { ...query(), period }, signal }),
  owasp: (api, { edition }, signal) => api.call(owaspChart, { query: { ...query(), edition }, signal }),
  slsa: (api, _choices, signal) => api.call(slsaThreatsChart, { query: query(), signal }),
  cicd: (api, _choices, signal) => api.call(owaspCicdChart, { query: query(), signal }),
  supplyChain: (api, _choices, signal) => api.call(supplyChainChart, { query: query(), signal }),
  repositories: (api, _choices, signal) => api.call(findingsByRepoChart, { query: query(), signal }),
  remediation: readRemediation,
  age: (api, _choices, signal) => api.call(backlogAgeChart, { query: query(), signal }),
  overdue: (api, _choices, signal) => api.call(overdueChart, { query: query(), signal }),
  timeToFix: (api, _choices, signal) => api.call(timeToFixChart, { query: query(), signal }),
} satisfies Record<string, Read>;

export type ChartKey = keyof typeof READS;

const KEYS: readonly ChartKey[] = [
  'found',
  'owasp',
  'slsa',
  'cicd',
  'supplyChain',
  'repositories',
  'remediation',
  'age',
  'overdue',
  'timeToFix',
];

/** The charts of the dashboard. Each is read on its own: a error of one leaves the others. */
export class ChartsStore {
  period: ChartPeriod = '12w';
  edition: OwaspEdition = '2025';
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
    const { period, edition } = this;
    const read: Read = READS[key];
    const reading = await read(this.#api, { period, edition }, signal).then(
      ({ data }) => ({ chart: data, error: undefined }),
      (error: unknown) => ({ chart: undefined, error }),
    );
    if (isAbort(reading.error)) return;
    // An answer to an older choice comes too late; the newer one is on its way.
    if ((key === 'found' && period !== this.period) || (key === 'owasp' && edition !== this.edition)) return;
    runInAction(() => this.readings.set(key, reading));
  }

  setPeriod(period: ChartPeriod): void {
    this.period = period;
    void this.read('found');
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
