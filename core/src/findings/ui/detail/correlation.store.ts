import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { splitFinding, undoSplit } from '../../api/correlation-routes.ts';

const bodyOf = (reason: string) => (reason === '' ? {} : { reason });

/** What a person says about which findings are the same. Every method throws what the server refused it with. */
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
