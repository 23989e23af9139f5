import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import { openFilters, type PriorityRow, topFindings } from '../../findings/ui/index.ts';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { isAbort } from '../../platform/ui/data/api-error.ts';
import { type ChangesOfWeek, changesOfWeek } from '../api/changes-route.ts';
import { totalFindingsChart } from '../api/routes.ts';
import { TOP_ROWS } from '../model/board.ts';
import type { FindingFilters } from '../model/charts.ts';
import { BoardStore } from './board.store.ts';
import type { BySeverity } from './charts/chart-options.ts';
import { ChartsStore } from './charts.store.ts';

export interface Totals {
  open: number;
  kev: number;
  repositories: number;
  components: number;
  hasData: boolean;
  hasSample: boolean;
  hasVerdict: boolean;
  hasPullRequest: boolean;
}

interface Series {
  name: string;
  data: number[];
}

export type WeekChanges = Static<typeof ChangesOfWeek>['data'];

/** Imports of several reports end one after the other: their events are answered together. */
const REFRESH_DELAY_MS = 400;
const SAMPLE_POLL_MS = 1_000;
const SAMPLE_PATIENCE_MS = 120_000;

/** Uploads are a chunk of their own; the dashboard must not wait for them. */
const ingest = () => import('../../ingest/ui/index.ts');

const none = (): BySeverity => ({ critical: 0, high: 0, medium: 0, low: 0, informational: 0 });

const severityOf = (name: string): Severity | undefined =>
  SEVERITIES.find((severity) => severity === name.toLowerCase());

/** One point of several series, by severity. Series of other names are left out. */
export const pointOf = (series: readonly Series[], index: number): BySeverity => {
  const counts = none();
  for (const { name, data } of series) {
    const severity = severityOf(name);
    if (severity !== undefined) counts[severity] = data[index] ?? 0;
  }
  return counts;
};

/** Figures by severity, whether the server sends one series a severity or one series over severities as labels. */
export const totalsBySeverity = (series: readonly Series[], labels: readonly string[]): BySeverity => {
  if (series.some(({ name }) => severityOf(name) !== undefined)) return pointOf(series, 0);
  const counts = none();
  labels.forEach((label, index) => {
    const severity = severityOf(label);
    if (severity !== undefined) counts[severity] = series[0]?.data[index] ?? 0;
  });
  return counts;
};

/** What the dashboard shows. */
export class DashboardStore {
  totals: Totals | undefined = undefined;
  bySeverity: BySeverity = none();
  top: PriorityRow[] | undefined = undefined;
  changes: WeekChanges | undefined = undefined;
  error: unknown = undefined;
  isSampleBusy = false;
  updatedAt: string | undefined = undefined;
  readonly charts: ChartsStore;
  readonly board: BoardStore;
  readonly #api: ApiClient;
  readonly #hasTop: boolean;
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;

  /** `hasTop`: what to fix first and what the week changed stand above the charts. */
  constructor(api: ApiClient, { hasTop = true } = {}) {
    this.#api = api;
    this.#hasTop = hasTop;
    this.charts = new ChartsStore(api);
    this.board = new BoardStore(api);
    makeAutoObservable(this, { charts: false, board: false }, { autoBind: true });
  }

  /** What the figures count. */
  get filters(): FindingFilters {
    return { ...openFilters(), ...this.charts.scope };
  }

  /** Shows the figures of these repositories, or of all. The same again reads nothing. */
  setScope(scope: FindingFilters): void {
    if (JSON.stringify(scope) === JSON.stringify(this.charts.scope)) return;
    this.dispose();
    this.charts.setScope(scope);
    this.top = undefined;
    this.changes = undefined;
    if (this.totals !== undefined) void this.load();
  }

  get isFirstRun(): boolean {
    return this.totals !== undefined && !this.totals.hasData && !this.isSampleBusy;
  }

  /** Reads all of it again: the figures, then the cards below them. */
  async load(): Promise<void> {
    if (await this.loadFigures()) await this.loadCards();
  }

  /** What stands on top: the figures and what to fix first. @returns whether there is anything to make cards of */
  async loadFigures(): Promise<boolean> {
    const { signal } = this.#abort;
    try {
      // what to fix first is drawn with the figures: drawn after them, it would wait for all the cards below
      const [{ data }, rows] = await Promise.all([
        this.#api.call(totalFindingsChart, { query: { filters: this.filters }, signal }),
        this.#hasTop ? topFindings(this.#api, { filters: this.filters, count: TOP_ROWS }, signal) : undefined,
      ]);
      runInAction(() => {
        this.top = rows;
        this.totals = {
          open: data.total,
          kev: data.kev,
          repositories: data.repositories,
          components: data.components,
          hasData: data.has_data,
          hasSample: data.has_sample,
          hasVerdict: data.has_verdict,
          hasPullRequest: data.has_pull_request,
        };
        this.bySeverity = totalsBySeverity(data.series, data.labels);
        this.error = undefined;
        this.updatedAt = new Date().toISOString();
      });
      return data.has_data;
    } catch (error) {
      this.#noteError(error);
      return false;
    }
  }

  async loadCards(): Promise<void> {
    try {
      await Promise.all([
        this.board.load(this.#abort.signal),
        this.#hasTop ? this.#loadChanges() : undefined,
        this.charts.load(),
      ]);
    } catch (error) {
      this.#noteError(error);
    }
  }

  #noteError(error: unknown): void {
    if (isAbort(error)) return;
    runInAction(() => {
      this.error = error;
    });
  }

  /** Reads again soon; several calls in a row count as one. */
  refresh(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), REFRESH_DELAY_MS);
  }

  /** Adds the sample application and waits until its findings are there. */
  async addSample(): Promise<void> {
    this.isSampleBusy = true;
    try {
      const { loadSampleData } = await ingest();
      const isDone = await loadSampleData(this.#api, {
        pollMs: SAMPLE_POLL_MS,
        patienceMs: SAMPLE_PATIENCE_MS,
        signal: this.#abort.signal,
      });
      if (!isDone) return;
    } finally {
      await this.load();
      runInAction(() => {
        this.isSampleBusy = false;
      });
    }
  }

  async removeSample(): Promise<void> {
    this.isSampleBusy = true;
    try {
      const { removeSampleData } = await ingest();
      await removeSampleData(this.#api, this.#abort.signal);
    } finally {
      await this.load();
      runInAction(() => {
        this.isSampleBusy = false;
      });
    }
  }

  /** Gives up what is being read. The store may be used again: React mounts a screen twice in development. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.charts.dispose();
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  async #loadChanges(): Promise<void> {
    const { data } = await this.#api.call(changesOfWeek, {
      query: { filters: this.filters },
      signal: this.#abort.signal,
    });
    runInAction(() => {
      this.changes = data;
    });
  }
}
