import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { activateSubscription, getPaymentCompletion, type MarketplaceSubscription } from '../api/marketplace-routes.ts';

/** What somebody bought at the Microsoft Marketplace. */
export class PurchaseStore {
  purchase: MarketplaceSubscription | undefined = undefined;
  error: unknown = undefined;
  isActivating = false;
  /** Why it could not be activated. */
  refusal: unknown = undefined;
  readonly #api: ApiClient;
  readonly #token: string;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, token: string) {
    this.#api = api;
    this.#token = token;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(): Promise<void> {
    await this.#reading.run(
      (signal) => this.#api.call(getPaymentCompletion, { query: { token: this.#token }, signal }),
      ({ data }) => {
        this.purchase = data.attributes;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** @returns whether it is active now; else `refusal` says why not */
  async activate(): Promise<boolean> {
    this.isActivating = true;
    this.refusal = undefined;
    try {
      await this.#api.call(activateSubscription, { body: { token: this.#token } });
      return true;
    } catch (error) {
      runInAction(() => {
        this.refusal = error;
      });
      return false;
    } finally {
      runInAction(() => {
        this.isActivating = false;
      });
    }
  }

  dispose(): void {
    this.#reading.dispose();
  }
}
