import { makeAutoObservable } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { type AccessEntry, listAccesses } from '../api/routes.ts';

export interface Access {
  _id: string;
  attributes: Static<typeof AccessEntry>;
}

/** What the page shows; it lives in the address. */
export interface AccessView {
  search: string;
}

export const ACCESS_VIEW = {
  parse: (params: URLSearchParams): AccessView => ({ search: (params.get('search') ?? '').trim().slice(0, 200) }),
  format: ({ search }: AccessView) => new URLSearchParams(search === '' ? {} : { search }),
};

/** What superadmins read inside organisations, newest first; older entries come when they are asked for. */
export class AccessLogStore {
  search = '';
  rows: readonly Access[] | undefined = undefined;
  nextCursor: string | null = null;
  error: unknown = undefined;
  isLoadingMore = false;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  show({ search }: AccessView): void {
    this.search = search;
    this.rows = undefined;
    void this.load();
  }

  /** Reads the newest entries anew. */
  load(): Promise<void> {
    this.error = undefined;
    return this.#read(undefined);
  }

  async loadMore(): Promise<void> {
    if (this.nextCursor === null || this.isLoadingMore) return;
    this.isLoadingMore = true;
    await this.#read(this.nextCursor);
  }

  dispose(): void {
    this.#reading.dispose();
  }

  #read(cursor: string | undefined): Promise<void> {
    const query = {
      ...(this.search === '' ? {} : { search: this.search }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    return this.#reading.run(
      (signal) => this.#api.call(listAccesses, { query, signal }),
      ({ data, meta }) => {
        this.rows = cursor === undefined ? data : [...(this.rows ?? []), ...data];
        this.nextCursor = meta.next_cursor;
        this.isLoadingMore = false;
      },
      (error) => {
        this.error = error;
        this.isLoadingMore = false;
      },
    );
  }
}
