import { makeAutoObservable, observable, runInAction } from 'mobx';
import { visibleText, withVisibleText } from '../../../platform/model/visible-text.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { isAbort } from '../../../platform/ui/data/api-error.ts';
import { PagedRows } from '../../../platform/ui/data/paged-rows.ts';
import { getFilterOptions, listFindings } from '../../api/routes.ts';
import type { OnDemandKey } from '../../model/column-catalogue.ts';
import type { FacetKey } from '../../model/filter-catalogue.ts';
import { titleOf, WRITTEN_HERE } from '../../model/finding-text.ts';
import { ASKED_COLUMNS, type AskedColumn } from '../../model/quiet-columns.ts';
import { countFindings, type FindingAttributes, type FindingItem, PAGE_SIZE, rowsQuery } from './finding-queries.ts';
import {
  defaultView,
  type FilterKey,
  type Filters,
  type FindingView,
  formatView,
  scopeFilters,
} from './finding-view.ts';

export type { FacetKey } from '../../model/filter-catalogue.ts';
export type { FindingAttributes, FindingItem };
export { PAGE_SIZE };
export interface FacetOption {
  value: string;
  label: string;
  count: number;
}

/** Filters whose values are ids: chips show the names that their options tell. */
const NAMED_KEYS = ['repository', 'developer', 'issue_owner', 'review_requested_by_id'] as const;

/** Rows of one view of the findings, fetched page by page as they come into sight. */
export class FindingsStore {
  view: FindingView = defaultView('open');
  /** Rows of the same view without the filters that pick among them: the "of 108". */
  scopeTotal: number | undefined = undefined;
  /** Rows without any filter; asked only when a view is empty. */
  allTotal: number | undefined = undefined;
  /** Findings of the kinds that the list is about, whatever became of them; asked only when the work to do is empty. */
  doneTotal: number | undefined = undefined;
  currentId: string | undefined = undefined;
  /** The finding that had the focus last. */
  focusedId: string | undefined = undefined;
  /**
   * Place of the focus in the list; undefined once the person took it elsewhere. While rows are read anew the focus may be on nothing:
   * keys mean this place, and the focus comes back to it.
   */
  focusedIndex: number | undefined = undefined;
  /** Long texts that the rows bring. */
  fields: readonly OnDemandKey[] = [];
  readonly facets = observable.map<FacetKey, FacetOption[]>({}, { deep: false });
  /** What every row says in these columns, where their facet has one value; that of before until it was read again. */
  readonly soleValues = observable.map<AskedColumn, string>();
  readonly list: PagedRows<FindingItem>;
  readonly #api: ApiClient;
  #address: string | undefined = undefined;
  /** Options that are being read: a reading anew ends theirs, and they are read with it. */
  readonly #loadingFacets = new Set<FacetKey>();
  /** Changes of ours that the server has not answered. */
  #awaited = 0;
  /** An event came meanwhile, of ours or of somebody else. */
  #hasMissed = false;
  /** The last change of ours. */
  #ownChange: string | undefined = undefined;

  constructor(api: ApiClient) {
    this.#api = api;
    this.list = new PagedRows(
      (page, pageSize, signal) => this.#read(page, pageSize, signal),
      PAGE_SIZE,
      (signal) => countFindings(api, { filters: this.view.filters, search: this.view.search }, signal),
    );
    // nothing is drawn by the place of the focus
    makeAutoObservable(
      this,
      { list: false, facets: false, soleValues: false, focusedIndex: false },
      { autoBind: true },
    );
  }

  get total(): number | undefined {
    return this.list.total;
  }

  /** Index of the current row among the rows that are loaded; -1 when it is not among them. */
  get currentIndex(): number {
    return this.currentId === undefined ? -1 : this.indexOf(this.currentId);
  }

  idAt(index: number): string | undefined {
    return this.list.rowAt(index)?._id;
  }

  /** Place of a finding among the rows that are loaded; -1 when it is not among them. */
  indexOf(id: string): number {
    return this.list.indexOf((row) => row._id === id);
  }

  /** Whether samples stand among findings of the organisation, as far as rows were read: alone they need no mark. */
  get hasMixedSamples(): boolean {
    const rows = [...this.list.pages.values()].flat();
    const isSample = rows[0]?.attributes.is_sample;
    return rows.some((row) => row.attributes.is_sample !== isSample);
  }

  /** All rows of the list, where all are here, which are then few. */
  get allRows(): FindingAttributes[] | undefined {
    const rows = [...this.list.pages.values()].flat();
    return rows.length === this.total ? rows.map(({ attributes }) => attributes) : undefined;
  }

  /** True where everything that this list is about was fixed or decided. */
  get isAllDone(): boolean {
    return this.total === 0 && this.doneTotal !== undefined && this.doneTotal > 0;
  }

  /** True where not even the unfiltered list holds a row: nothing was imported yet. */
  get hasNothing(): boolean {
    return this.allTotal === 0;
  }

  /** Whether there is more than the filters leave. While one of the two figures is still that of before, there never seems to be less. */
  get isNarrowed(): boolean {
    return this.scopeTotal !== undefined && this.total !== undefined && this.total < this.scopeTotal;
  }

  /** Shows a view. The same view again costs nothing. */
  show(view: FindingView): void {
    const address = formatView(view, 'all').toString();
    if (address === this.#address && this.list.error === undefined) return;
    this.#address = address;
    this.view = view;
    this.reload();
  }

  /** Rows bring these long texts from now on; what is shown is read again where it lacks one. */
  setFields(fields: readonly OnDemandKey[]): void {
    const lacks = fields.some((field) => !this.fields.includes(field));
    this.fields = [...fields];
    if (lacks && this.#address !== undefined) this.list.reload();
  }

  /** Reads the rows, the count and the options that show anew. */
  reload(): void {
    this.list.reload();
    this.#readBeside();
  }

  /** The same without hiding what is shown: after a change of a few rows. */
  refresh(): void {
    this.list.refresh();
    this.#readBeside();
  }

  /**
   * A change is sent from here: whoever sent it reads the list again after the answer, so events until then bring nothing new, nor does the
   * event of this change later. @returns how to end the wait: with the id of the change, or with none where nothing will be read again.
   */
  awaitAnswer(): (changeId?: string) => void {
    this.#awaited += 1;
    let isOver = false;
    return (changeId) => {
      if (isOver) return;
      isOver = true;
      this.#awaited -= 1;
      if (changeId !== undefined) this.#ownChange = changeId;
      else if (this.#hasMissed) this.refresh();
      if (this.#awaited === 0) this.#hasMissed = false;
    };
  }

  /** An event says that findings changed: reads again, unless they were changed from here. */
  refreshAfter(changeId: string | undefined): void {
    if (this.#awaited > 0) this.#hasMissed = true;
    else if (changeId === undefined || changeId !== this.#ownChange) this.refresh();
  }

  #readBeside(): void {
    const shown = [...this.facets.keys(), ...this.#loadingFacets];
    this.facets.clear();
    void this.#loadScope(this.list.signal);
    const needed = new Set<FacetKey>(shown);
    for (const key of NAMED_KEYS) if ((this.view.filters[key]?.length ?? 0) > 0) needed.add(key);
    for (const key of needed) void this.loadFacet(key);
  }

  /** Gives up what is being read; the next `show` reads anew (React mounts a screen twice in development). */
  dispose(): void {
    this.#address = undefined;
    this.list.dispose();
  }

  setCurrent(id: string | undefined): void {
    this.currentId = id;
  }

  /** The focus is at a place of the list, or on its way there. Without one it is elsewhere; what had it last stays known. */
  setFocused(index: number | undefined): void {
    this.focusedIndex = index;
    if (index !== undefined) this.focusedId = this.idAt(index) ?? this.focusedId;
  }

  /** Takes over what another screen learnt or changed about a finding. */
  patch(id: string, changes: Partial<FindingAttributes>): void {
    this.list.change(
      (row) => row._id === id,
      (row) => ({ ...row, attributes: { ...row.attributes, ...changes } }),
    );
  }

  /** Options of one filter under all the others, so that a second value of the same filter can be added. */
  async loadFacet(key: FacetKey): Promise<void> {
    const { signal } = this.list;
    const filters: Filters = { ...this.view.filters };
    if (key !== 'verdict') delete filters[key];
    this.#loadingFacets.add(key);
    try {
      const query = { filter_key: key, filters, search: this.view.search };
      const { data } = await this.#api.call(getFilterOptions, { query, signal });
      runInAction(() => {
        if (!signal.aborted) this.#keepFacet(key, shownOptions(data[key]));
      });
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      runInAction(() => this.#keepFacet(key, []));
    } finally {
      if (!signal.aborted) this.#loadingFacets.delete(key);
    }
  }

  #keepFacet(key: FacetKey, options: FacetOption[]): void {
    this.facets.set(key, options);
    const column = ASKED_COLUMNS.find((one) => one === key);
    if (column === undefined) return;
    const [sole, ...others] = options;
    if (sole !== undefined && others.length === 0) this.soleValues.set(column, sole.label);
    else this.soleValues.delete(column);
  }

  /** Options of one filter that have these words; for filters with more values than one answer holds. None when it fails. */
  async searchFacet(key: FacetKey, words: string, signal: AbortSignal): Promise<FacetOption[]> {
    const filters: Filters = { ...this.view.filters };
    if (key !== 'verdict') delete filters[key];
    try {
      const query = { filter_key: key, filter_search: words, filters, search: this.view.search };
      return shownOptions((await this.#api.call(getFilterOptions, { query, signal })).data[key]);
    } catch {
      return [];
    }
  }

  /** Title of a finding whose row is loaded. */
  titleOfRow(id: string): string | undefined {
    const row = this.list.rowAt(this.indexOf(id));
    return row === undefined ? undefined : titleOf(row.attributes);
  }

  /** Name of a filter's value where a facet tells one, such as of a repository; undefined for values that are no ids. */
  nameOf(key: FilterKey, value: string): string | undefined {
    const named = NAMED_KEYS.find((one) => one === key);
    if (named === undefined) return undefined;
    return this.facets.get(named)?.find((option) => option.value === value)?.label ?? '…';
  }

  async #read(page: number, pageSize: number, signal: AbortSignal) {
    const query = rowsQuery(this.view, { page, pageSize, include: [...this.fields] });
    const { data, meta } = await this.#api.call(listFindings, { query, signal });
    const total = meta.pagination.total ?? undefined;
    if (total === 0) await this.#loadAllTotal(signal);
    return { rows: data.map((row) => withVisibleText(row, WRITTEN_HERE)), total };
  }

  async #loadAllTotal(signal: AbortSignal): Promise<void> {
    const { type } = this.view.filters;
    const [total, done] = await Promise.all([
      countFindings(this.#api, {}, signal),
      type === undefined ? undefined : countFindings(this.#api, { filters: { type } }, signal),
    ]);
    runInAction(() => {
      this.allTotal = total;
      this.doneTotal = done ?? total;
    });
  }

  async #loadScope(signal: AbortSignal): Promise<void> {
    const filters = scopeFilters(this.view.filters);
    try {
      const total = await countFindings(this.#api, { filters }, signal);
      runInAction(() => {
        if (!signal.aborted) this.scopeTotal = total;
      });
    } catch {
      // The list itself tells about the error; without this figure only "of 108" is missing.
    }
  }
}

/** Values stay as they are stored: they are what is filtered by. */
const shownOptions = (options: readonly FacetOption[] = []): FacetOption[] =>
  options.map((option) => ({ ...option, label: visibleText(option.label) }));
