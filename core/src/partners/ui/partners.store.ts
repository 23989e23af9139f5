import { makeAutoObservable } from 'mobx';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import {
  createPartner,
  deletePartner,
  listPartners,
  type NewPartner,
  type Partner,
  type PartnerChange,
  updatePartner,
} from '../api/routes.ts';

export interface PartnerItem {
  _id: string;
  attributes: Partner;
}

/** All partners; for superadmins also their administration. */
export class PartnersStore {
  partners: PartnerItem[] | undefined = undefined;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(): Promise<void> {
    await this.#reading.run(
      (signal) => this.#api.call(listPartners, { signal }),
      ({ data }) => {
        this.partners = data;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** @throws ApiError */
  async add(body: NewPartner): Promise<void> {
    await this.#api.call(createPartner, { body });
    await this.load();
  }

  /** @throws ApiError */
  async change(id: string, body: PartnerChange): Promise<void> {
    await this.#api.call(updatePartner, { params: { id }, body });
    await this.load();
  }

  /** @throws ApiError */
  async remove(id: string): Promise<void> {
    await this.#api.call(deletePartner, { params: { id } });
    await this.load();
  }

  dispose(): void {
    this.#reading.dispose();
  }
}
