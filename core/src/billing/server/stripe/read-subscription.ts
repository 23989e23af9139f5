import type Stripe from 'stripe';
import { isLive } from '../../model/plans.ts';
import { askStripe } from './stripe-client.ts';

/** What Stripe says of a customer now. */
export interface StripeState {
  subscriptionId: string | null;
  status: string | null;
  priceId: string | null;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  card: { brand: string; last4: string } | null;
}

/** More than a customer has; the newest come first. */
const MOST = 100;

/** The subscription that counts: the newest that is paid for, else the newest. */
const chosenOf = (all: readonly Stripe.Subscription[]): Stripe.Subscription | undefined => {
  const newest = all.toSorted((left, right) => right.created - left.created);
  return newest.find(({ status }) => isLive(status)) ?? newest[0];
};

/** The subscription that counts; undefined where the customer never had one. @throws upstream_failed */
export const readSubscription = async (
  client: Stripe,
  customerId: string,
): Promise<Stripe.Subscription | undefined> => {
  const { data } = await askStripe(() =>
    client.subscriptions.list({
      customer: customerId,
      status: 'all',
      limit: MOST,
      expand: ['data.default_payment_method'],
    }),
  );
  return chosenOf(data);
};

/** Brand and last four digits, as Stripe shows them. */
const cardOf = (method: string | Stripe.PaymentMethod | null | undefined): StripeState['card'] => {
  const card = typeof method === 'object' ? method?.card : undefined;
  return card === undefined || card === null ? null : { brand: card.brand, last4: card.last4 };
};

/** The customer with the payment method of its invoices; undefined where it was deleted. @throws upstream_failed */
export const readCustomer = async (client: Stripe, customerId: string): Promise<Stripe.Customer | undefined> => {
  const customer = await askStripe(() =>
    client.customers.retrieve(customerId, { expand: ['invoice_settings.default_payment_method'] }),
  );
  return customer.deleted === true ? undefined : customer;
};

export const cardOfCustomer = (customer: Stripe.Customer | undefined): StripeState['card'] =>
  cardOf(customer?.invoice_settings.default_payment_method);

/** Reads all of it. @throws upstream_failed */
export const readStripeState = async (
  client: Stripe,
  customerId: string,
): Promise<StripeState & { customer: Stripe.Customer | undefined }> => {
  const subscription = await readSubscription(client, customerId);
  const customer = await readCustomer(client, customerId);
  const item = subscription?.items.data[0];
  return {
    customer,
    subscriptionId: subscription?.id ?? null,
    status: subscription?.status ?? null,
    priceId: item?.price.id ?? null,
    currentPeriodEnd: item === undefined ? null : new Date(item.current_period_end * 1000),
    cancelAtPeriodEnd: subscription?.cancel_at_period_end ?? false,
    card: cardOf(subscription?.default_payment_method) ?? cardOfCustomer(customer),
  };
};
