import { makeAutoObservable } from 'mobx';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { getHealth, type Health } from '../api/routes.ts';

const REFRESH_MS = 15_000;

/** How the installation is; read again while the page is open. */
export class HealthStore {
  health: Health | undefined = undefined;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#reading.run(
      (signal) => this.#api.call(getHealth, { signal }),
      ({ data }) => {
        this.health = data;
        this.error = undefined;
        this.#timer = setTimeout(() => void this.load(), REFRESH_MS);
      },
      (error) => {
        this.error = error;
      },
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#reading.dispose();
  }
}
