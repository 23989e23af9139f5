import { makeAutoObservable } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { listManagedClients, type ManagedClient } from '../api/managed-routes.ts';

export interface ManagedClientItem {
  _id: string;
  attributes: Static<typeof ManagedClient>;
}

export const PAGE_SIZE = 50;

/** What the list shows; it lives in the address. `page` is 0-based there. */
export interface ClientsView {
  search: string;
  page: number;
}

export const parseClientsView = (params: URLSearchParams): ClientsView => {
  const page = Number(params.get('page') ?? 0);
  return {
    search: (params.get('search') ?? '').trim().slice(0, 200),
    page: Number.isInteger(page) && page >= 0 ? page : 0,
  };
};

export const formatClientsView = ({ search, page }: ClientsView): URLSearchParams => {
  const params = new URLSearchParams();
  if (search !== '') params.set('search', search);
  if (page > 0) params.set('page', String(page));
  return params;
};

export const CLIENTS_VIEW = { parse: parseClientsView, format: formatClientsView };

/** One page of the organisations of the platform. */
export class ManagedClientsStore {
  view: ClientsView = { search: '', page: 0 };
  rows: ManagedClientItem[] | undefined = undefined;
  total = 0;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  show(view: ClientsView): void {
    this.view = view;
    void this.load();
  }

  async load(): Promise<void> {
    const { search, page } = this.view;
    const query = { search, pagination: { page: page + 1, pageSize: PAGE_SIZE } };
    await this.#reading.run(
      (signal) => this.#api.call(listManagedClients, { query, signal }),
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

  dispose(): void {
    this.#reading.dispose();
  }
}
