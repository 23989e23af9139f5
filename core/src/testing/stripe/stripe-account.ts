import Stripe from 'stripe';
import {
  customerObject,
  itemObject,
  type PriceObject,
  priceObject,
  productObject,
  type SubscriptionObject,
  subscriptionObject,
} from './stripe-objects.ts';
import { checkoutObject, invoiceObject, methodObject, portalObject } from './stripe-payment-objects.ts';

/** An error as Stripe answers it. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;

  constructor(status: number, type: string, message: string, code?: string) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
  }
}

const found = <T>(map: ReadonlyMap<string, T>, id: string): T => {
  const value = map.get(id);
  if (value === undefined)
    throw new StripeRefusal(404, 'invalid_request_error', `No such object: '${id}'`, 'resource_missing');
  return value;
};

export interface PortalChange {
  subscription: string;
  item: string;
  price: string;
  returnUrl: string;
}

/** What Stripe keeps of one account, and what happens to it. */
export class StripeAccount {
  readonly customers = new Map<string, Stripe.Customer>();
  readonly products = new Map<string, Stripe.Product>();
  readonly prices = new Map<string, PriceObject>();
  readonly checkouts = new Map<string, Stripe.Checkout.Session>();
  readonly subscriptions = new Map<string, SubscriptionObject>();
  readonly invoices = new Map<string, Stripe.Invoice>();
  readonly methods = new Map<string, Stripe.PaymentMethod>();
  readonly portals = new Map<string, { session: Stripe.BillingPortal.Session; change: PortalChange | undefined }>();
  /** Every event, oldest first. */
  readonly events: Stripe.Event[] = [];
  readonly #origin: string;
  readonly #onEvent: (event: Stripe.Event) => void;
  #ids = 0;
  /** Grows with every object, so that their order is known. */
  #now = Math.floor(Date.now() / 1000) - 10_000;

  constructor(origin: string, onEvent: (event: Stripe.Event) => void) {
    this.#origin = origin;
    this.#onEvent = onEvent;
  }

  #id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_test${String(this.#ids).padStart(6, '0')}`;
  }

  #tick(): number {
    this.#now += 1;
    return this.#now;
  }

  /** Notes what happened; the object as it is now. */
  #emit(type: string, object: unknown): void {
    const event = JSON.parse(
      JSON.stringify({
        id: this.#id('evt'),
        object: 'event',
        api_version: Stripe.API_VERSION,
        created: this.#tick(),
        data: { object },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      }),
    );
    this.events.push(event);
    this.#onEvent(event);
  }

  addCustomer(metadata: Record<string, string>): Stripe.Customer {
    const customer = customerObject(this.#id('cus'), this.#tick(), metadata);
    this.customers.set(customer.id, customer);
    this.#emit('customer.created', customer);
    return customer;
  }

  changeCustomer(id: string, changes: Pick<Stripe.Customer, 'name' | 'address'>): Stripe.Customer {
    const customer = Object.assign(found(this.customers, id), changes);
    this.#emit('customer.updated', customer);
    return customer;
  }

  addProduct(given: { name: string; description: string | null; metadata: Record<string, string> }): Stripe.Product {
    const product = productObject(this.#id('prod'), this.#tick(), given);
    this.products.set(product.id, product);
    return product;
  }

  addPrice(given: { product: string; currency: string; unit_amount: number; interval: 'month' | 'year' }): PriceObject {
    found(this.products, given.product);
    const price = priceObject(this.#id('price'), this.#tick(), given);
    this.prices.set(price.id, price);
    return price;
  }

  openCheckout(given: {
    customer: string;
    price: string;
    reference: string | null;
    metadata: Record<string, string>;
    successUrl: string;
    cancelUrl: string;
  }): Stripe.Checkout.Session {
    found(this.customers, given.customer);
    const amount = found(this.prices, given.price).unit_amount ?? 0;
    const id = this.#id('cs');
    const session = checkoutObject(id, { ...given, created: this.#tick(), amount, url: `${this.#origin}/pay/${id}` });
    session.metadata = { ...session.metadata, price_id: given.price };
    this.checkouts.set(id, session);
    return session;
  }

  expireCheckout(id: string): Stripe.Checkout.Session {
    const session = found(this.checkouts, id);
    if (session.status !== 'open') {
      throw new StripeRefusal(400, 'invalid_request_error', `This Session is not open: it is ${session.status}.`);
    }
    session.status = 'expired';
    session.url = null;
    this.#emit('checkout.session.expired', session);
    return session;
  }

  /** What happens when somebody pays on the page of a checkout. */
  pay(checkoutId: string): SubscriptionObject {
    const session = found(this.checkouts, checkoutId);
    if (session.status !== 'open') throw new StripeRefusal(400, 'invalid_request_error', 'This Session is not open.');
    const customer = found(this.customers, String(session.customer));
    const price = found(this.prices, session.metadata?.['price_id'] ?? '');
    const method = methodObject(this.#id('pm'), this.#tick(), customer.id);
    this.methods.set(method.id, method);
    customer.invoice_settings.default_payment_method = method.id;
    customer.email ??= 'payer@example.test';
    const id = this.#id('sub');
    const start = Math.floor(Date.now() / 1000);
    const item = itemObject(this.#id('si'), { subscription: id, price, start });
    const { metadata } = session;
    const created = this.#tick();
    const subscription = subscriptionObject(id, {
      customer: customer.id,
      created,
      item,
      method: method.id,
      metadata: metadata ?? {},
    });
    this.subscriptions.set(id, subscription);
    const invoice = this.#bill(customer, price.unit_amount ?? 0);
    subscription.latest_invoice = invoice.id;
    Object.assign(session, {
      status: 'complete',
      payment_status: 'paid',
      subscription: id,
      invoice: invoice.id,
      url: null,
    });
    this.#emit('customer.subscription.created', subscription);
    this.#emit('invoice.paid', invoice);
    this.#emit('checkout.session.completed', session);
    return subscription;
  }

  #bill(customer: Stripe.Customer, total: number): Stripe.Invoice {
    const number = `BREAKWTR-${String(this.invoices.size + 1).padStart(4, '0')}`;
    const created = Math.floor(Date.now() / 1000);
    const invoice = invoiceObject(this.#id('in'), { customer, created, number, total, origin: this.#origin });
    this.invoices.set(invoice.id, invoice);
    return invoice;
  }

  /** Another price from now on. */
  changePrice(subscriptionId: string, priceId: string): SubscriptionObject {
    const subscription = found(this.subscriptions, subscriptionId);
    const price = found(this.prices, priceId);
    const [item] = subscription.items.data;
    if (item === undefined) throw new Error('a subscription without an item');
    const start = Math.floor(Date.now() / 1000);
    subscription.items.data = [itemObject(item.id, { subscription: subscription.id, price, start })];
    this.#bill(found(this.customers, String(subscription.customer)), price.unit_amount ?? 0);
    this.#emit('customer.subscription.updated', subscription);
    return subscription;
  }

  changeSubscription(
    id: string,
    changes: Partial<Pick<SubscriptionObject, 'cancel_at_period_end' | 'status'>>,
  ): SubscriptionObject {
    const subscription = Object.assign(found(this.subscriptions, id), changes);
    this.#emit('customer.subscription.updated', subscription);
    return subscription;
  }

  /** The subscription is over. */
  endSubscription(id: string): SubscriptionObject {
    const subscription = Object.assign(found(this.subscriptions, id), { status: 'canceled', ended_at: this.#tick() });
    this.#emit('customer.subscription.deleted', subscription);
    return subscription;
  }

  openPortal(
    customer: string,
    returnUrl: string | null,
    change: PortalChange | undefined,
  ): Stripe.BillingPortal.Session {
    found(this.customers, customer);
    if (change !== undefined) found(this.subscriptions, change.subscription);
    const id = this.#id('bps');
    const session = portalObject(id, {
      customer,
      created: this.#tick(),
      returnUrl,
      url: `${this.#origin}/portal/${id}`,
    });
    this.portals.set(id, { session, change });
    return session;
  }

  /** @throws StripeRefusal as Stripe answers where there is no such thing */
  readonly find = found;
}
