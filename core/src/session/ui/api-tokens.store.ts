import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { TokenScope } from '../../platform/model/permissions.ts';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { listPersonalTokens, makePersonalToken, revokePersonalToken } from '../api/personal-token-routes.ts';
import { generateToken, listTokens, revokeToken, type TokenAttributes } from '../api/token-routes.ts';
import type { TokenKind } from '../model/api-token.ts';

/** More than an organisation may hold at once; those of its people follow on further pages. */
export const TOKENS_PER_PAGE = 200;

export interface TokenItem {
  _id: string;
  attributes: Static<typeof TokenAttributes>;
}

/** A token as it is shown once. */
export interface MadeToken {
  token: string;
  name: string;
  expired_at: string;
}

export interface WantedToken {
  name: string;
  expired_at: string;
  scopes: TokenScope[];
}

/** Where tokens are read, made and ended. */
interface TokenSource {
  list(api: ApiClient, page: number, signal: AbortSignal): Promise<{ rows: TokenItem[]; total: number }>;
  make(api: ApiClient, body: WantedToken, signal: AbortSignal): Promise<MadeToken>;
  revoke(api: ApiClient, id: string): Promise<unknown>;
}

const isForPeople = (scope: TokenScope): scope is Exclude<TokenScope, 'scim'> => scope !== 'scim';

export const TOKEN_SOURCES: Record<TokenKind, TokenSource> = {
  organization: {
    list: async (api, page, signal) => {
      const query = { pagination: { page: page + 1, pageSize: TOKENS_PER_PAGE } };
      const { data, meta } = await api.call(listTokens, { query, signal });
      return { rows: data, total: meta.pagination.total };
    },
    make: async (api, body, signal) => (await api.call(generateToken, { body, signal })).data,
    revoke: (api, id) => api.call(revokeToken, { params: { id } }),
  },
  personal: {
    list: async (api, _page, signal) => {
      const { data } = await api.call(listPersonalTokens, { signal });
      return { rows: data, total: data.length };
    },
    make: async (api, { scopes, ...body }, signal) => {
      const wanted = { ...body, scopes: scopes.filter(isForPeople) };
      return (await api.call(makePersonalToken, { body: wanted, signal })).data;
    },
    revoke: (api, id) => api.call(revokePersonalToken, { params: { id } }),
  },
};

/** Tokens of the organisation with those of its people, or one's own; newest first. */
export class ApiTokensStore {
  rows: TokenItem[] | undefined = undefined;
  /** Of all pages. */
  total = 0;
  /** 0-based. */
  page = 0;
  error: unknown = undefined;
  isRevoking = false;
  readonly #api: ApiClient;
  readonly #source: TokenSource;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, kind: TokenKind) {
    this.#api = api;
    this.#source = TOKEN_SOURCES[kind];
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(): Promise<void> {
    const { page } = this;
    await this.#reading.run(
      (signal) => this.#source.list(this.#api, page, signal),
      ({ rows, total }) => {
        this.rows = rows;
        this.total = total;
        // the last one of its page was revoked
        if (rows.length === 0 && page > 0) this.showPage(page - 1);
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  showPage(page: number): void {
    this.page = page;
    void this.load();
  }

  /** Ends a token. @throws ApiError when the server refuses. */
  async revoke(id: string): Promise<void> {
    this.isRevoking = true;
    try {
      await this.#source.revoke(this.#api, id);
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
