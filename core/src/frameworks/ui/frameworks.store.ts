import { makeAutoObservable } from 'mobx';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import {
  type FrameworkDetail,
  type FrameworkSummary,
  getFramework,
  getManagedFramework,
  listFrameworks,
  listManagedFrameworks,
} from '../api/routes.ts';

export interface FrameworkItem {
  _id: string;
  attributes: FrameworkSummary;
}

/** Frameworks of the own organisation, or inside a client that a superadmin reads. */
export class FrameworksStore {
  frameworks: FrameworkItem[] | undefined = undefined;
  detail: FrameworkDetail | undefined = undefined;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #clientId: string | undefined;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, clientId?: string) {
    this.#api = api;
    this.#clientId = clientId;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  dispose(): void {
    this.#reading.dispose();
  }

  async loadAll(): Promise<void> {
    const [api, client] = [this.#api, this.#clientId];
    this.error = undefined;
    await this.#reading.run(
      (signal) =>
        client === undefined
          ? api.call(listFrameworks, { signal })
          : api.call(listManagedFrameworks, { params: { client }, signal }),
      ({ data }) => {
        this.frameworks = data;
      },
      this.#fail,
    );
  }

  async loadOne(id: string): Promise<void> {
    const [api, client] = [this.#api, this.#clientId];
    this.error = undefined;
    await this.#reading.run(
      (signal) =>
        client === undefined
          ? api.call(getFramework, { params: { id }, signal })
          : api.call(getManagedFramework, { params: { client, id }, signal }),
      ({ data }) => {
        this.detail = data.attributes;
      },
      this.#fail,
    );
  }

  #fail = (error: unknown): void => {
    this.error = error;
  };
}
