import { makeAutoObservable } from 'mobx';
import type { Static } from 'typebox';
import { withVisibleText } from '../../../platform/model/visible-text.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { type FindingGroup, listFindingGroups } from '../../api/group-routes.ts';
import { type FindingView, formatView } from '../data/finding-view.ts';

export interface GroupItem {
  _id: string;
  attributes: Static<typeof FindingGroup>;
}

export const GROUPS_PAGE_SIZE = 50;

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
  readonly #api: ApiClient;
  #view: FindingView | undefined = undefined;
  #address = '';
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** Shows the groups of a view from the first page; the same view again costs nothing. */
  show(view: FindingView): void {
    const address = formatView(view, 'all').toString();
    if (address === this.#address && this.error === undefined) return;
    this.#address = address;
    this.#view = view;
    this.groups = undefined;
    this.toPage(0);
  }

  toPage(page: number): void {
    this.page = page;
    void this.reload();
  }

  async reload(): Promise<void> {
    const view = this.#view;
    // what fixes them is another list
    if (view?.groupBy === undefined || view.groupBy === 'fix') return;
    const query = {
      by: view.groupBy,
      filters: view.filters,
      search: view.search,
      sort_field: view.groupSort ?? 'count',
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

  dispose(): void {
    this.#address = '';
    this.#reading.dispose();
  }
}
