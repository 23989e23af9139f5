import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { joinFindings, splitFinding, undoJoin, undoSplit } from '../../api/correlation-routes.ts';

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The finding that an address or an id names: the last id in it. */
export const findingIdIn = (text: string): string | undefined => text.match(ID)?.at(-1)?.toLowerCase();

const bodyOf = (reason: string) => (reason === '' ? {} : { reason });

/** What a person says about which findings are the same. Every act throws what the server refused it with. */
export class SameIssueStore {
  isSaving = false;
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  split(id: string, reason: string): Promise<void> {
    return this.#send(() => this.#api.call(splitFinding, { params: { id }, body: bodyOf(reason) }));
  }

  undoSplit(id: string): Promise<void> {
    return this.#send(() => this.#api.call(undoSplit, { params: { id } }));
  }

  join(id: string, otherId: string, reason: string): Promise<void> {
    return this.#send(() =>
      this.#api.call(joinFindings, { params: { id }, body: { with: otherId, ...bodyOf(reason) } }),
    );
  }

  undoJoin(id: string, otherId: string): Promise<void> {
    return this.#send(() => this.#api.call(undoJoin, { params: { id }, query: { with: otherId } }));
  }

  async #send(work: () => Promise<unknown>): Promise<void> {
    this.isSaving = true;
    try {
      await work();
    } finally {
      runInAction(() => {
        this.isSaving = false;
      });
    }
  }
}
