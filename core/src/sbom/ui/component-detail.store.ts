import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/api-client.ts';
import { isAbort } from '../../platform/ui/api-error.ts';
import { type ComponentDetail, getComponent } from '../api/routes.ts';

export type ComponentDetails = Static<typeof ComponentDetail>;

/** One component with its findings and neighbours. */
export class ComponentDetailStore {
  detail: ComponentDetails | undefined = undefined;
  error: unknown = undefined;
  readonly #api: ApiClient;
  #abort = new AbortController();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(id: string): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.detail = undefined;
    this.error = undefined;
    try {
      const { data } = await this.#api.call(getComponent, { params: { id }, signal: this.#abort.signal });
      runInAction(() => {
        this.detail = data.attributes;
      });
    } catch (error) {
      if (isAbort(error)) return;
      runInAction(() => {
        this.error = error;
      });
    }
  }

  dispose(): void {
    this.#abort.abort();
  }
}
