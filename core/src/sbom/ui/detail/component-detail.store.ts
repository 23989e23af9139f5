import { makeAutoObservable } from 'mobx';
import type { Static } from 'typebox';
import { withVisibleText } from '../../../platform/model/visible-text.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { type ComponentDetail, getComponent } from '../../api/routes.ts';

export type ComponentDetails = Static<typeof ComponentDetail>;

/** One component with its findings and neighbours. */
export class ComponentDetailStore {
  detail: ComponentDetails | undefined = undefined;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(id: string): Promise<void> {
    this.detail = undefined;
    this.error = undefined;
    await this.#reading.run(
      (signal) => this.#api.call(getComponent, { params: { id }, signal }),
      ({ data }) => {
        this.detail = withVisibleText(data.attributes);
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
