import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { getRepositoryPosture, type RepositoryPosture } from '../../api/posture-routes.ts';

/** Asks the server for a scan of the settings of a repository. */
export type RequestReading = (api: ApiClient, repositoryId: string) => Promise<unknown>;

/** What the settings of one repository say. */
export class PostureStore {
  posture: Static<typeof RepositoryPosture> | undefined = undefined;
  error: unknown = undefined;
  isAsking = false;
  readonly #api: ApiClient;
  readonly #id: string;
  readonly #requestReading: RequestReading;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, id: string, requestReading: RequestReading) {
    this.#api = api;
    this.#id = id;
    this.#requestReading = requestReading;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(): Promise<void> {
    await this.#reading.run(
      (signal) => this.#api.call(getRepositoryPosture, { params: { id: this.#id }, signal }),
      ({ data }) => {
        this.posture = data;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** Asks for the settings to be read now. @throws ApiError with the reason when the server refuses. */
  async request(): Promise<void> {
    this.isAsking = true;
    try {
      await this.#requestReading(this.#api, this.#id);
    } finally {
      runInAction(() => {
        this.isAsking = false;
      });
    }
  }

  dispose(): void {
    this.#reading.dispose();
  }
}
