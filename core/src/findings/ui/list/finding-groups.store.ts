import { makeAutoObservable, observable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import { withVisibleText } from '../../../platform/model/visible-text.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { type FindingGroup, listFindingGroups } from '../../api/group-routes.ts';
import { listFindings } from '../../api/routes.ts';
import { WRITTEN_HERE } from '../../model/finding-text.ts';
import type { FindingItem } from '../data/finding-queries.ts';
import { type FindingView, formatView } from '../data/finding-view.ts';

export interface GroupItem {
  _id: string;
  attributes: Static<typeof FindingGroup>;
}

export const GROUPS_PAGE_SIZE = 50;
/** Findings of an open group that come at once. */
const ROWS_PAGE = 50;

/** A group that was opened in its place. */
export interface OpenGroup {
  /** Undefined while its first findings are read. */
  rows: readonly FindingItem[] | undefined;
  total: number;
  error?: unknown;
}

/** One page of the groups of a view. */
export class FindingGroupsStore {
  /** Undefined while the first page of a view is read. */
  groups: GroupItem[] | undefined = undefined;
  total = 0;
  /** Findings in all groups. */
  grouped = 0;
  /** 0-based. */
  page = 0;
  error: unknown = undefined;
  readonly open = observable.map<string, OpenGroup>({}, { deep: false });
  readonly #api: ApiClient;
  #view: FindingView | undefined = undefined;
  #address = '';
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, { open: false }, { autoBind: true });
  }

  /** The free text of the view. */
  get search(): string {
    return this.#view?.search ?? '';
  }

  /** Shows the groups of a view from the first page; the same view again costs nothing. */
  show(view: FindingView): void {
    const address = formatView(view, 'all').toString();
    if (address === this.#address && this.error === undefined) return;
    this.#address = address;
    this.#view = view;
    this.groups = undefined;
    this.open.clear();
    this.toPage(0);
  }

  toPage(page: number): void {
    this.page = page;
    void this.#readGroups();
  }

  /** Reads again what is shown, open groups with it. */
  async reload(): Promise<void> {
    await this.#readGroups();
    const groups = this.groups ?? [];
    for (const key of [...this.open.keys()]) {
      const group = groups.find(({ _id }) => _id === key);
      if (group === undefined) this.open.delete(key);
      else await this.#readRows(group, 0);
    }
  }

  /** Opens a group in its place, or folds it. */
  toggle(group: GroupItem): void {
    if (this.open.delete(group._id)) return;
    this.open.set(group._id, { rows: undefined, total: group.attributes.count });
    void this.#readRows(group, 0);
  }

  /** The next findings of an open group. */
  more(group: GroupItem): void {
    void this.#readRows(group, this.open.get(group._id)?.rows?.length ?? 0);
  }

  async #readGroups(): Promise<void> {
    const view = this.#view;
    // what fixes them is another list
    if (view?.groupBy === undefined || view.groupBy === 'fix') return;
    const query = {
      by: view.groupBy,
      filters: view.filters,
      search: view.search,
      sort_field: view.groupSort ?? 'priority',
      pagination: { page: this.page + 1, pageSize: GROUPS_PAGE_SIZE },
    };
    await this.#reading.run(
      (signal) => this.#api.call(listFindingGroups, { query, signal }),
      ({ data, meta }) => {
        // filters hold the stored words
        this.groups = withVisibleText(data, ['filters', 'key']);
        this.total = meta.pagination.total;
        this.grouped = meta.grouped;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  async #readRows(group: GroupItem, from: number): Promise<void> {
    const view = this.#view;
    if (view === undefined) return;
    const address = this.#address;
    const query = {
      filters: group.attributes.filters,
      search: view.search,
      sort: view.sort,
      sort_field: view.sortField,
      pagination: { page: 1 + Math.floor(from / ROWS_PAGE), pageSize: ROWS_PAGE },
    };
    const put = (read: (known: OpenGroup) => OpenGroup): void =>
      runInAction(() => {
        const known = this.open.get(group._id);
        if (known !== undefined && address === this.#address) this.open.set(group._id, read(known));
      });
    try {
      const { data, meta } = await this.#api.call(listFindings, { query });
      const rows = data.map((row) => withVisibleText(row, WRITTEN_HERE));
      put((known) => ({
        rows: from === 0 ? rows : [...(known.rows ?? []).slice(0, from), ...rows],
        total: meta.pagination.total ?? rows.length,
      }));
    } catch (error) {
      put((known) => ({ ...known, rows: known.rows ?? [], error }));
    }
  }

  dispose(): void {
    this.#address = '';
    this.#reading.dispose();
  }
}
