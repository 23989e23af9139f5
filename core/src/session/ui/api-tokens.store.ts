import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { listTokens, revokeToken, type TokenAttributes } from '../api/token-routes.ts';

/** More than an organisation may hold at once. */
const PAGE_SIZE = 200;

export interface TokenItem {
  _id: string;
  attributes: Static<typeof TokenAttributes>;
}

/** The tokens of machines, newest first. */
export class ApiTokensStore {
  rows: TokenItem[] | undefined = undefined;
  error: unknown = undefined;
  isRevoking = false;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(): Promise<void> {
    const query = { pagination: { page: 1, pageSize: PAGE_SIZE } };
    await this.#reading.run(
      (signal) => this.#api.call(listTokens, { query, signal }),
      ({ data }) => {
        this.rows = data;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** Ends a token. @throws ApiError when the server refuses. */
  async revoke(id: string): Promise<void> {
    this.isRevoking = true;
    try {
      await this.#api.call(revokeToken, { params: { id } });
      await this.load();
    } finally {
      runInAction(() => {
        this.isRevoking = false;
      });
    }
  }

  dispose(): void {
    this.#reading.dispose();
  }
}
