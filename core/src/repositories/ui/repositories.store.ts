import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { saveBlob } from '../../platform/ui/data/save-blob.ts';
import { dayOfReader } from '../../platform/ui/display/formats.ts';
import { listManagedRepositories } from '../api/managed-routes.ts';
import { deleteRepository, downloadRepositories, listRepositories, listRepositoryTags } from '../api/routes.ts';
import type { RepositoryItem } from './parts/repository-display.tsx';

export const PAGE_SIZE = 50;

const SORTS = ['nickname', 'owner', 'last_scan'] as const;
export type RepositorySort = (typeof SORTS)[number];

/** Which way a column is sorted first: names from A, scans from the latest. */
export const firstOrder = (field: RepositorySort): 'asc' | 'desc' => (field === 'last_scan' ? 'desc' : 'asc');

/** What the list shows; it lives in the address. `page` is 0-based there. */
export interface RepositoryView {
  search: string;
  /** Any of these tags; none shows all. */
  tags: string[];
  /** Of any of these people; none shows all. */
  owners: string[];
  /** Only those whose last scan has been read. Source: specification §4, for repositories of a managed client. */
  isEnrichedOnly?: boolean;
  page: number;
  sortField: RepositorySort;
  sort: 'asc' | 'desc';
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const parseRepositoryView = (params: URLSearchParams): RepositoryView => {
  const page = Number(params.get('page') ?? 0);
  const sortField = SORTS.find((field) => field === params.get('sort_field')) ?? 'nickname';
  const sort = params.get('sort');
  return {
    search: (params.get('search') ?? '').trim().slice(0, 200),
    tags: params.getAll('tag').filter((tag) => tag !== '' && tag.length <= 100),
    owners: params.getAll('owner').filter((id) => UUID.test(id)),
    page: Number.isInteger(page) && page >= 0 ? page : 0,
    sortField,
    sort: sort === 'asc' || sort === 'desc' ? sort : firstOrder(sortField),
  };
};

export const formatRepositoryView = (view: RepositoryView): URLSearchParams => {
  const params = new URLSearchParams();
  if (view.search !== '') params.set('search', view.search);
  for (const tag of view.tags) params.append('tag', tag);
  for (const owner of view.owners) params.append('owner', owner);
  if (view.page > 0) params.set('page', String(view.page));
  if (view.sortField !== 'nickname') params.set('sort_field', view.sortField);
  if (view.sort !== firstOrder(view.sortField)) params.set('sort', view.sort);
  return params;
};

export const REPOSITORY_VIEW = { parse: parseRepositoryView, format: formatRepositoryView };

/** One page of the repositories. */
export class RepositoriesStore {
  view: RepositoryView = parseRepositoryView(new URLSearchParams());
  rows: RepositoryItem[] | undefined = undefined;
  total = 0;
  error: unknown = undefined;
  isDeleting = false;
  isDownloading = false;
  /** Tags of all repositories, to choose from. */
  knownTags: string[] = [];
  readonly #api: ApiClient;
  /** Whose repositories a superadmin reads; the own ones without. */
  readonly #clientId: string | undefined;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, clientId?: string) {
    this.#api = api;
    this.#clientId = clientId;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  show(view: RepositoryView): void {
    this.view = view;
    void this.load();
  }

  async load(): Promise<void> {
    const query = { ...this.#query(), pagination: { page: this.view.page + 1, pageSize: PAGE_SIZE } };
    await this.#reading.run(
      (signal) =>
        this.#clientId === undefined
          ? this.#api.call(listRepositories, { query, signal })
          : this.#api.call(listManagedRepositories, { params: { client: this.#clientId }, query, signal }),
      ({ data, meta }) => {
        this.rows = data;
        this.total = meta.pagination.total;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** Reads the tags to choose from; without an answer there are none. */
  async loadTags(): Promise<void> {
    const tags = await this.#api.call(listRepositoryTags).then(
      ({ data }) => data.map(({ _id }) => _id),
      () => [],
    );
    runInAction(() => {
      this.knownTags = tags;
    });
  }

  /** Gives the browser the whole list as a CSV file. @throws ApiError */
  async download(): Promise<void> {
    this.isDownloading = true;
    try {
      const blob = await this.#api.download(downloadRepositories, { query: this.#query() });
      saveBlob(blob, `repositories-${dayOfReader()}.csv`);
    } finally {
      runInAction(() => {
        this.isDownloading = false;
      });
    }
  }

  /** Removes a repository with all that belongs to it. @throws ApiError when the server refuses. */
  async remove(id: string): Promise<void> {
    this.isDeleting = true;
    try {
      await this.#api.call(deleteRepository, { params: { id } });
      await this.load();
    } finally {
      runInAction(() => {
        this.isDeleting = false;
      });
    }
  }

  dispose(): void {
    this.#reading.dispose();
  }

  #query() {
    const { search, tags, owners, sort, sortField, isEnrichedOnly } = this.view;
    const filters = {
      ...(isEnrichedOnly === true ? { status: ['enriched' as const] } : {}),
      ...(tags.length === 0 ? {} : { tags: [...tags] }),
      ...(owners.length === 0 ? {} : { owner: [...owners] }),
    };
    return { search, filters, sort, sort_field: sortField };
  }
}
