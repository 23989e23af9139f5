import { makeAutoObservable } from 'mobx';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import {
  answerFeedback,
  createFeedback,
  deleteFeedback,
  type FeedbackPost,
  listFeedback,
  listManagedFeedback,
  type ManagedFeedback,
  voteFeedback,
} from '../api/board-routes.ts';
import { FEEDBACK_SORTS, FEEDBACK_STATUSES, type FeedbackSort, type FeedbackStatus } from '../model/feedback.ts';

export interface PostItem {
  _id: string;
  attributes: FeedbackPost | ManagedFeedback;
}

export const PAGE_SIZE = 50;

/** What the board shows; it lives in the address. `page` is 0-based there. */
export interface FeedbackView {
  /** Undefined: what is not yet decided or done. */
  status: FeedbackStatus | 'all' | undefined;
  sort: FeedbackSort;
  search: string;
  page: number;
}

export const FEEDBACK_VIEW = {
  parse: (params: URLSearchParams): FeedbackView => {
    const page = Number(params.get('page') ?? 0);
    const status = params.get('status');
    return {
      status: status === 'all' ? 'all' : FEEDBACK_STATUSES.find((one) => one === status),
      sort: FEEDBACK_SORTS.find((sort) => sort === params.get('sort')) ?? 'votes',
      search: (params.get('search') ?? '').trim().slice(0, 200),
      page: Number.isInteger(page) && page >= 0 ? page : 0,
    };
  },
  format: ({ status, sort, search, page }: FeedbackView): URLSearchParams => {
    const params = new URLSearchParams();
    if (status !== undefined) params.set('status', status);
    if (sort !== 'votes') params.set('sort', sort);
    if (search !== '') params.set('search', search);
    if (page > 0) params.set('page', String(page));
    return params;
  },
};

/** One page of the board; for who runs the installation of all organisations. */
export class FeedbackStore {
  view: FeedbackView = { status: undefined, sort: 'votes', search: '', page: 0 };
  rows: PostItem[] | undefined = undefined;
  total = 0;
  error: unknown = undefined;
  readonly isManaged: boolean;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, isManaged: boolean) {
    this.#api = api;
    this.isManaged = isManaged;
    makeAutoObservable(this, { isManaged: false }, { autoBind: true });
  }

  get isFiltered(): boolean {
    return this.view.status !== undefined || this.view.search !== '';
  }

  show(view: FeedbackView): void {
    this.view = view;
    void this.load();
  }

  async load(): Promise<void> {
    const { status, sort, search, page } = this.view;
    const query = {
      ...(status === undefined ? {} : { status }),
      ...(search === '' ? {} : { search }),
      sort,
      pagination: { page: page + 1, pageSize: PAGE_SIZE },
    };
    await this.#reading.run(
      async (signal): Promise<{ data: PostItem[]; meta: { pagination: { total: number } } }> =>
        this.isManaged
          ? this.#api.call(listManagedFeedback, { query, signal })
          : this.#api.call(listFeedback, { query, signal }),
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

  /** @throws ApiError */
  async add(body: { title: string; details: string }): Promise<void> {
    await this.#api.call(createFeedback, { body });
    await this.load();
  }

  /** The row stays where it is until the list is read anew. @throws ApiError */
  async vote(id: string, voted: boolean): Promise<void> {
    const { data } = await this.#api.call(voteFeedback, { params: { id }, body: { voted } });
    this.replace(data);
  }

  /** @throws ApiError */
  async answer(item: PostItem, body: { status: FeedbackStatus; answer: string }): Promise<void> {
    if (!('client' in item.attributes)) return;
    const params = { client: item.attributes.client.client_id, id: item._id };
    const { data } = await this.#api.call(answerFeedback, { params, body });
    this.replace(data);
  }

  /** @throws ApiError */
  async remove(id: string): Promise<void> {
    await this.#api.call(deleteFeedback, { params: { id } });
    await this.load();
  }

  dispose(): void {
    this.#reading.dispose();
  }

  private replace(item: PostItem): void {
    this.rows = this.rows?.map((row) => (row._id === item._id ? item : row));
  }
}
