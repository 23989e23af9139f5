import { makeAutoObservable, observable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/api-client.ts';
import { isAbort } from '../../platform/ui/api-error.ts';
import { type FILTER_KEYS, type FindingRow, getFilterOptions, listFindings } from '../api/routes.ts';
import {
  defaultView,
  type FilterKey,
  type Filters,
  type FindingView,
  formatView,
  scopeFilters,
} from './finding-view.ts';

export type FindingAttributes = Static<typeof FindingRow>;
export interface FindingItem {
  _id: string;
  attributes: FindingAttributes;
}
export type FacetKey = (typeof FILTER_KEYS)[number];
export interface FacetOption {
  value: string;
  label: string;
  count: number;
}

export const PAGE_SIZE = 100;
/** A skeleton that comes sooner than this only flickers. */
const SKELETON_DELAY_MS = 100;
/** Pages kept while somebody scrolls through a million rows; the farthest from the view go first. */
const MAX_PAGES = 40;

/** Rows of one view of the findings, fetched page by page as they come into sight. */
export class FindingsStore {
  view: FindingView = defaultView('open');
  total: number | undefined = undefined;
  /** Rows of the same view without the filters that pick among them: the "of 108". */
  scopeTotal: number | undefined = undefined;
  /** Rows without any filter; asked only when a view is empty. */
  allTotal: number | undefined = undefined;
  isSkeletonDue = false;
  error: unknown = undefined;
  currentId: string | undefined = undefined;
  facets = observable.map<FacetKey, FacetOption[]>({}, { deep: false });
  readonly pages = observable.map<number, FindingItem[]>({}, { deep: false });
  readonly #api: ApiClient;
  readonly #pending = new Map<number, Promise<void>>();
  #abort = new AbortController();
  #address: string | undefined = undefined;

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable<FindingsStore, 'facets' | 'pages'>(this, { pages: false, facets: false }, { autoBind: true });
  }

  /** Index of the current row among the rows that are loaded; -1 when it is not among them. */
  get currentIndex(): number {
    if (this.currentId === undefined) return -1;
    for (const [page, rows] of this.pages) {
      const index = rows.findIndex((row) => row._id === this.currentId);
      if (index >= 0) return page * PAGE_SIZE + index;
    }
    return -1;
  }

  /** True where not even the unfiltered list holds a row: nothing was imported yet. */
  get hasNothing(): boolean {
    return this.allTotal === 0;
  }

  get isNarrowed(): boolean {
    return this.scopeTotal !== undefined && this.total !== undefined && this.total !== this.scopeTotal;
  }

  rowAt(index: number): FindingItem | undefined {
    return this.pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE];
  }

  /** Shows a view. The same view again costs nothing. */
  show(view: FindingView): void {
    const address = formatView(view, 'all').toString();
    if (address === this.#address && this.error === undefined) return;
    this.#address = address;
    this.view = view;
    this.facets.clear();
    this.reload();
  }

  /** Fetches what is in sight anew; old rows stay until then, or until the skeleton is due. */
  reload(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#pending.clear();
    this.error = undefined;
    const { signal } = this.#abort;
    setTimeout(() => this.#dueSkeleton(signal), SKELETON_DELAY_MS);
    void this.#load(0, true);
    void this.#loadScope(signal);
    if ((this.view.filters.repository?.length ?? 0) > 0) void this.loadFacet('repository');
  }

  dispose(): void {
    this.#abort.abort();
  }

  /** Makes sure that rows `from` to `to` are there or on their way. */
  ensure(from: number, to: number): void {
    const last = Math.min(to, (this.total ?? 1) - 1);
    for (let page = Math.floor(Math.max(0, from) / PAGE_SIZE); page <= Math.floor(last / PAGE_SIZE); page += 1) {
      if (!this.pages.has(page)) void this.#load(page, false);
    }
  }

  /** The row at an index, fetched when it is not there yet: for previous and next. */
  async fetchRow(index: number): Promise<FindingItem | undefined> {
    if (this.rowAt(index) === undefined) await this.#load(Math.floor(index / PAGE_SIZE), false);
    return this.rowAt(index);
  }

  setCurrent(id: string | undefined): void {
    this.currentId = id;
  }

  /** Takes over what another screen learnt or changed about a finding. */
  patch(id: string, changes: Partial<FindingAttributes>): void {
    for (const [page, rows] of this.pages) {
      const index = rows.findIndex((row) => row._id === id);
      if (index < 0) continue;
      const next = rows.map((row, at) =>
        at === index ? { ...row, attributes: { ...row.attributes, ...changes } } : row,
      );
      this.pages.set(page, next);
    }
  }

  /** Options of one filter under all the others, so that a second value of the same filter can be added. */
  async loadFacet(key: FacetKey): Promise<void> {
    const { signal } = this.#abort;
    const filters: Filters = { ...this.view.filters };
    if (key !== 'verdict') delete filters[key];
    try {
      const { data } = await this.#api.call(getFilterOptions, {
        query: { filter_key: key, filters, search: this.view.search },
        signal,
      });
      runInAction(() => this.facets.set(key, data[key] ?? []));
    } catch (error) {
      if (!isAbort(error)) runInAction(() => this.facets.set(key, []));
    }
  }

  /** Name of a filter's value where a facet tells one: a repository by its id. */
  nameOf(key: FilterKey, value: string): string {
    if (key === 'cwe') return `CWE-${value}`;
    if (key !== 'repository') return value;
    return this.facets.get('repository')?.find((option) => option.value === value)?.label ?? '…';
  }

  #dueSkeleton(signal: AbortSignal): void {
    if (signal.aborted || !this.#pending.has(0)) return;
    runInAction(() => {
      this.isSkeletonDue = true;
      this.pages.clear();
    });
  }

  #load(page: number, isFirst: boolean): Promise<void> {
    const pending = this.#pending.get(page);
    if (pending !== undefined) return pending;
    const promise = this.#fetch(page, isFirst);
    this.#pending.set(page, promise);
    return promise;
  }

  async #fetch(page: number, isFirst: boolean): Promise<void> {
    const { signal } = this.#abort;
    const { filters, search, sort, sortField } = this.view;
    const pagination = { page: page + 1, pageSize: PAGE_SIZE };
    try {
      const query = { filters, search, sort, sort_field: sortField, pagination };
      const { data, meta } = await this.#api.call(listFindings, { query, signal });
      runInAction(() => {
        if (signal.aborted) return;
        if (isFirst) this.pages.clear();
        this.pages.set(page, data);
        this.total = meta.pagination.total;
        this.isSkeletonDue = false;
        this.#forgetFarPages(page);
      });
      if (meta.pagination.total === 0) await this.#loadAllTotal(signal);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      runInAction(() => {
        this.error = error;
        this.isSkeletonDue = false;
      });
    } finally {
      if (!signal.aborted) this.#pending.delete(page);
    }
  }

  async #loadAllTotal(signal: AbortSignal): Promise<void> {
    const { meta } = await this.#api.call(listFindings, { query: { pagination: { page: 1, pageSize: 1 } }, signal });
    runInAction(() => {
      if (!signal.aborted) this.allTotal = meta.pagination.total;
    });
  }

  #forgetFarPages(near: number): void {
    const farthestFirst = [...this.pages.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
    for (const page of farthestFirst.slice(0, Math.max(0, farthestFirst.length - MAX_PAGES))) this.pages.delete(page);
  }

  async #loadScope(signal: AbortSignal): Promise<void> {
    const filters = scopeFilters(this.view.filters);
    try {
      const query = { filters, pagination: { page: 1, pageSize: 1 } };
      const { meta } = await this.#api.call(listFindings, { query, signal });
      runInAction(() => {
        if (!signal.aborted) this.scopeTotal = meta.pagination.total;
      });
    } catch {
      // The list itself tells about the fault; without this figure only "of 108" is missing.
    }
  }
}
