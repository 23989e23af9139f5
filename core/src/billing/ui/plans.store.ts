import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import { chooseFreePlan } from '../../clients/ui/index.ts';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { updateBilling } from '../api/billing-routes.ts';
import {
  createPricing,
  deletePricing,
  getPlan,
  listPricings,
  type NewPricing,
  type OwnPlan,
  type Pricing,
  type PricingChange,
  updatePricing,
} from '../api/plan-routes.ts';
import {
  createCheckoutSession,
  createPortalSession,
  createStripeProduct,
  type Invoice,
  linkStripeProduct,
  listStripeInvoices,
} from '../api/stripe-routes.ts';
import { amountFor, type Interval } from '../model/plans.ts';

export interface PlanItem {
  _id: string;
  attributes: Pricing;
}

interface InvoiceItem {
  _id: string;
  attributes: Static<typeof Invoice>;
}

/** Whom the page is for. */
interface PlansViewer {
  /** Somebody of an organisation that has a plan, not who only sells them. */
  hasPlan: boolean;
}

/** The plans, and what the organisation has of them. */
export class PlansStore {
  plans: PlanItem[] | undefined = undefined;
  own: OwnPlan | undefined = undefined;
  invoices: InvoiceItem[] = [];
  /** Why invoices could not be read. */
  invoicesError: unknown = undefined;
  error: unknown = undefined;
  interval: Interval = 'month';
  /** The plan for which something is under way. */
  busyPlan: string | undefined = undefined;
  readonly #api: ApiClient;
  readonly #viewer: PlansViewer;
  readonly #reading = new LatestCall();
  readonly #readingInvoices = new LatestCall();

  constructor(api: ApiClient, viewer: PlansViewer) {
    this.#api = api;
    this.#viewer = viewer;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(): Promise<void> {
    await this.#reading.run(
      async (signal) => ({
        plans: (await this.#api.call(listPricings, { signal })).data,
        own: this.#viewer.hasPlan ? (await this.#api.call(getPlan, { signal })).data : undefined,
      }),
      ({ plans, own }) => {
        this.plans = plans;
        this.own = own;
        this.error = undefined;
        if (own?.is_payment_configured === true) void this.#loadInvoices(own.client_id);
      },
      (error) => {
        this.error = error;
      },
    );
  }

  async #loadInvoices(clientId: string): Promise<void> {
    await this.#readingInvoices.run(
      (signal) => this.#api.call(listStripeInvoices, { params: { id: clientId }, signal }),
      ({ data }) => {
        this.invoices = data;
        this.invoicesError = undefined;
      },
      (error) => {
        this.invoicesError = error;
      },
    );
  }

  showInterval(interval: Interval): void {
    this.interval = interval;
  }

  /** What a plan costs as it is shown, in US cents, and by which interval. */
  priceOf({ attributes }: PlanItem): { amountCents: number; interval: Interval } {
    const { amount_cents: amountCents, interval, yearly_discount: yearlyDiscount } = attributes;
    const amount = amountFor({ amountCents, interval, yearlyDiscount }, this.interval);
    return amount === undefined ? { amountCents, interval } : { amountCents: amount, interval: this.interval };
  }

  async #during<T>(planId: string, work: () => Promise<T>): Promise<T> {
    this.busyPlan = planId;
    try {
      return await work();
    } finally {
      runInAction(() => {
        this.busyPlan = undefined;
      });
    }
  }

  /** @returns where it is paid. @throws ApiError */
  async buy(plan: PlanItem): Promise<string> {
    const price = plan.attributes.prices[this.priceOf(plan).interval] ?? '';
    const { data } = await this.#during(plan._id, () =>
      this.#api.call(createCheckoutSession, { body: { price_id: price, quantity: 1 } }),
    );
    return data.url;
  }

  /** @throws ApiError */
  async chooseFree(plan: PlanItem): Promise<void> {
    await this.#during(plan._id, () => chooseFreePlan(this.#api));
    await this.load();
  }

  /** @returns where card and subscription are managed. @throws ApiError */
  async openPortal(): Promise<string> {
    return (await this.#api.call(createPortalSession)).data.url;
  }

  /** @throws ApiError */
  async saveBilling(body: { legal_name: string; address: string }): Promise<void> {
    await this.#api.call(updateBilling, { body });
    await this.load();
  }

  /** @throws ApiError */
  async add(body: Static<typeof NewPricing>): Promise<void> {
    await this.#api.call(createPricing, { body });
    await this.load();
  }

  /** @throws ApiError */
  async change(id: string, body: Static<typeof PricingChange>): Promise<void> {
    await this.#api.call(updatePricing, { params: { id }, body });
    await this.load();
  }

  /** @throws ApiError */
  async remove(id: string): Promise<void> {
    await this.#api.call(deletePricing, { params: { id } });
    await this.load();
  }

  /** Makes the product at Stripe and links it. @throws ApiError */
  async sell(plan: PlanItem): Promise<void> {
    await this.#during(plan._id, async () => {
      const { data } = await this.#api.call(createStripeProduct, { body: { pricing_id: plan._id } });
      await this.#api.call(linkStripeProduct, { body: { pricing_id: plan._id, ...data } });
    });
    await this.load();
  }

  dispose(): void {
    this.#reading.dispose();
    this.#readingInvoices.dispose();
  }
}
