import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import { msg } from '../../../platform/model/message.ts';
import { withVisibleText } from '../../../platform/model/visible-text.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { ApiError, isAbort, messagesOf } from '../../../platform/ui/data/api-error.ts';
import { type FindingDetail, type FindingEvent, getFinding, getFindingHistory } from '../../api/routes.ts';
import { WRITTEN_HERE } from '../../model/finding-text.ts';

export type FindingDetails = Static<typeof FindingDetail>;
export type HistoryEvent = Static<typeof FindingEvent>;

/** Why a finding cannot be shown. Source: specification §2 and §8. */
export interface DetailError {
  status: number;
  message: string;
}

const NOT_FOUND: DetailError = { status: 404, message: msg('Finding data not found') };

const errorOf = (error: unknown): DetailError => {
  if (error instanceof ApiError && error.code === 'finding_not_found') return NOT_FOUND;
  const status = error instanceof ApiError && error.status > 0 ? error.status : 500;
  return { status, message: messagesOf(error).join(' ') };
};

/** One finding with its history. */
export class FindingDetailStore {
  id: string | undefined = undefined;
  detail: FindingDetails | undefined = undefined;
  history: HistoryEvent[] | undefined = undefined;
  error: DetailError | undefined = undefined;
  readonly #api: ApiClient;
  #abort = new AbortController();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** Sum of the parts; the screen says whether they add up to the priority. */
  get partsTotal(): number {
    return this.detail?.priority_parts.reduce((sum, part) => sum + part.points, 0) ?? 0;
  }

  async load(id: string): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    if (id !== this.id) {
      this.detail = undefined;
      this.history = undefined;
    }
    this.id = id;
    this.error = undefined;
    try {
      const { data } = await this.#api.call(getFinding, { params: { id }, signal });
      runInAction(() => {
        // An empty attribute set means that there is no such finding (specification §2).
        if (Object.keys(data.attributes).length === 0) this.error = NOT_FOUND;
        else this.detail = withVisibleText(data.attributes, WRITTEN_HERE);
      });
      await this.loadHistory();
    } catch (error) {
      if (isAbort(error)) return;
      runInAction(() => {
        this.error = errorOf(error);
      });
    }
  }

  async loadHistory(): Promise<void> {
    const { signal } = this.#abort;
    if (this.id === undefined || this.error !== undefined) return;
    try {
      const { data } = await this.#api.call(getFindingHistory, { params: { id: this.id }, signal });
      runInAction(() => {
        this.history = data.map((item) => item.attributes);
      });
    } catch (error) {
      if (isAbort(error)) return;
      runInAction(() => {
        this.history = [];
      });
    }
  }

  /** Shows the finding as the answer to a change has it. Only the history is read again. */
  take(id: string, detail: FindingDetails): void {
    if (this.id !== id) return;
    this.detail = withVisibleText(detail, WRITTEN_HERE);
    void this.loadHistory();
  }

  /** Shows a change that the server has not agreed to yet. @returns how to put back what stood there. */
  patch(changes: Partial<FindingDetails>): () => void {
    const { id, detail } = this;
    if (detail === undefined) return () => undefined;
    this.detail = { ...detail, ...changes };
    return () =>
      runInAction(() => {
        if (this.id === id) this.detail = detail;
      });
  }

  dispose(): void {
    this.#abort.abort();
  }
}
