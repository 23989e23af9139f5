import { makeAutoObservable } from 'mobx';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import {
  addPublishedConnector,
  editPublishedConnector,
  judgePublishedConnector,
  listPublishedConnectors,
  type PublishedConnector,
  publishConnector,
  removeAddedConnector,
  unpublishConnector,
} from '../api/routes.ts';
import type { Visibility } from '../model/publication.ts';

export const PAGE_SIZE = 24;

export interface PublishedItem {
  _id: string;
  attributes: PublishedConnector;
}

/** What the page shows; it lives in the address. */
export interface PublishedView {
  search: string;
  /** As people count, from 1. */
  page: number;
}

const FIRST_PAGE = 1;

export const PUBLISHED_VIEW = {
  parse: (params: URLSearchParams): PublishedView => ({
    search: (params.get('search') ?? '').trim().slice(0, 200),
    page: Math.max(FIRST_PAGE, Number.parseInt(params.get('page') ?? '', 10) || FIRST_PAGE),
  }),
  format: ({ search, page }: PublishedView) =>
    new URLSearchParams({
      ...(search === '' ? {} : { search }),
      ...(page === FIRST_PAGE ? {} : { page: String(page) }),
    }),
};

/** The two files of a connector without code, read as JSON. */
export interface ConnectorFiles {
  document: unknown;
  fixtures: unknown;
}

/** Connectors that organisations published, page by page. */
export class PublishedStore {
  view: PublishedView = { search: '', page: FIRST_PAGE };
  items: readonly PublishedItem[] | undefined = undefined;
  total = 0;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  show(view: PublishedView): void {
    this.view = view;
    void this.load();
  }

  load(): Promise<void> {
    const { search, page } = this.view;
    // the wire counts pages from 0
    const query = { page: page - 1, pageSize: PAGE_SIZE, ...(search === '' ? {} : { search }) };
    return this.#reading.run(
      (signal) => this.#api.call(listPublishedConnectors, { query, signal }),
      ({ data, meta }) => {
        this.items = data;
        this.total = meta.pagination.total;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** @throws ApiError with every reason for which it cannot be published */
  async publish(files: ConnectorFiles, visibility: Visibility): Promise<void> {
    await this.#api.call(publishConnector, { body: { ...files, visibility } });
    await this.load();
  }

  /** A new version. @throws ApiError */
  async edit(id: string, files: ConnectorFiles, visibility: Visibility): Promise<void> {
    await this.#api.call(editPublishedConnector, { params: { id }, body: { ...files, visibility } });
    await this.load();
  }

  /** @throws ApiError */
  async unpublish(id: string): Promise<void> {
    await this.#api.call(unpublishConnector, { params: { id } });
    await this.load();
  }

  /** @param hosts exactly those that the person has seen @throws ApiError */
  async add({ _id, attributes: { hosts } }: PublishedItem): Promise<void> {
    await this.#api.call(addPublishedConnector, { params: { id: _id }, body: { hosts: [...hosts] } });
    await this.load();
  }

  /** @throws ApiError */
  async remove(id: string): Promise<void> {
    await this.#api.call(removeAddedConnector, { params: { id } });
    await this.load();
  }

  /** Of whoever runs the installation. @throws ApiError */
  async judge(id: string, body: { revoked?: boolean; reason?: string; publisher_verified?: boolean }): Promise<void> {
    await this.#api.call(judgePublishedConnector, { params: { id }, body });
    await this.load();
  }

  dispose(): void {
    this.#reading.dispose();
  }
}
