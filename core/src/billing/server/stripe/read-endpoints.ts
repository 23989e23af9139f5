import type Stripe from 'stripe';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { readInsideClient } from '../../../platform/server/client-access.ts';
import { callerEndpoint, type Endpoint, type SignedInInput } from '../../../platform/server/endpoint.ts';
import { pageMeta, readPaging } from '../../../platform/server/paging.ts';
import {
  getProductPrice,
  getStripeCustomer,
  getStripeInvoice,
  getStripeSubscription,
  listStripeInvoices,
  listStripePlans,
  refreshOwnPlan,
  refreshSubscription,
} from '../../api/stripe-routes.ts';
import { INTERVALS } from '../../model/plans.ts';
import { type BillingDeps, requireOwnClient } from '../deps.ts';
import { readPlan } from '../plan-limits.ts';
import { findClientOf, readAccount } from './accounts.ts';
import { cardOfCustomer, readCustomer, readSubscription } from './read-subscription.ts';
import { askStripe, isMissing, requireStripe } from './stripe-client.ts';
import { synchronize } from './synchronize.ts';
import '../tables.ts';

type Input = Pick<SignedInInput<unknown, unknown, unknown>, 'caller' | 'request' | 'origin'>;

/** Notes that a superadmin looks into another organisation, before anything is read. @throws client_not_found */
const admitReader = async (
  { database }: BillingDeps,
  { caller, request, origin }: Input,
  clientId: string,
): Promise<void> => {
  requireOwnClient(caller, clientId);
  if (clientId === caller.clientId) return;
  await readInsideClient(database, { clientId, caller, request, origin }, () => Promise.resolve());
};

/** The organisation's customer at Stripe; undefined where it has none. @throws client_not_found */
const customerIdOf = async (deps: BillingDeps, input: Input, clientId: string): Promise<string | undefined> => {
  await admitReader(deps, input, clientId);
  const account = await deps.database.forClient(clientId, (db) => readAccount(db, clientId));
  return account?.customer_id ?? undefined;
};

const NOT_BOUGHT = msg('The organisation has bought nothing through Stripe.');

const requireCustomerId = async (deps: BillingDeps, input: Input, clientId: string): Promise<string> => {
  const customerId = await customerIdOf(deps, input, clientId);
  if (customerId === undefined) throw new AppError('not_found', NOT_BOUGHT);
  return customerId;
};

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Only addresses of the web become links. */
const linkOf = (address: string | null | undefined): string | null =>
  /^https?:$/.test(URL.parse(address ?? '')?.protocol ?? '') ? (address ?? null) : null;

const invoiceItem = (invoice: Stripe.Invoice) => ({
  _id: invoice.id,
  attributes: {
    number: invoice.number,
    status: invoice.status,
    total_cents: invoice.total,
    currency: invoice.currency,
    created_at: timeOf(invoice.created),
    pdf_url: linkOf(invoice.invoice_pdf),
    page_url: linkOf(invoice.hosted_invoice_url),
  },
});

const idOf = (value: string | { id: string } | null): string | undefined =>
  typeof value === 'string' ? value : value?.id;

const MOST_INVOICES = 100;

/** An invoice of the caller's organisation, or of any for superadmins. @throws invoice_not_found */
const readInvoice = async (deps: BillingDeps, input: Input, invoiceId: string): Promise<Stripe.Invoice> => {
  const { client } = requireStripe(deps.stripe);
  const invoice = await askStripe(async () => {
    try {
      return await client.invoices.retrieve(invoiceId);
    } catch (error) {
      if (isMissing(error)) throw new AppError('invoice_not_found');
      throw error;
    }
  });
  const customer = idOf(invoice.customer);
  const clientId =
    customer === undefined ? undefined : await deps.database.forIdentity((db) => findClientOf(db, customer));
  if (clientId === undefined) throw new AppError('invoice_not_found');
  try {
    await admitReader(deps, input, clientId);
  } catch (error) {
    throw error instanceof AppError && error.code === 'client_not_found' ? new AppError('invoice_not_found') : error;
  }
  return invoice;
};

const invoiceEndpoints = (deps: BillingDeps): Endpoint[] => [
  callerEndpoint(listStripeInvoices)(async ({ params, ...input }) => {
    const { client } = requireStripe(deps.stripe);
    const customer = await customerIdOf(deps, input, params.id);
    const invoices =
      customer === undefined
        ? []
        : (await askStripe(() => client.invoices.list({ customer, limit: MOST_INVOICES }))).data;
    return { data: invoices.map(invoiceItem), meta: pageMeta(invoices.length, readPaging({ pagination: 'false' })) };
  }),
  callerEndpoint(getStripeInvoice)(async ({ params, ...input }) => ({
    data: invoiceItem(await readInvoice(deps, input, params.id)),
  })),
];

/** Prices that sell a plan now, with the plan. */
const readSold = (deps: BillingDeps) =>
  deps.database.forIdentity((db) =>
    db
      .selectFrom('pricing_prices')
      .innerJoin('pricings', 'pricings.id', 'pricing_prices.pricing_id')
      .select(['price_id', 'tier'])
      .where('is_current', '=', true)
      .orderBy('pricing_prices.amount_cents')
      .orderBy('price_id')
      .limit(200)
      .execute(),
  );

const priceItem = (price: Stripe.Price, tier: string) => ({
  _id: price.id,
  attributes: {
    tier,
    product_id: idOf(price.product) ?? '',
    amount_cents: price.unit_amount ?? 0,
    currency: price.currency,
    interval: INTERVALS.find((interval) => interval === price.recurring?.interval) ?? 'month',
  },
});

const priceEndpoints = (deps: BillingDeps): Endpoint[] => [
  callerEndpoint(listStripePlans)(async () => {
    const { client } = requireStripe(deps.stripe);
    const tiers = new Map((await readSold(deps)).map(({ price_id, tier }) => [price_id, tier]));
    const prices = await askStripe(() =>
      client.prices.list({ active: true, type: 'recurring', limit: 100 }).autoPagingToArray({ limit: 1000 }),
    );
    const data = prices.flatMap((price) => {
      const tier = tiers.get(price.id);
      return tier === undefined ? [] : [priceItem(price, tier)];
    });
    return { data, meta: pageMeta(data.length, readPaging({ pagination: 'false' })) };
  }),
  callerEndpoint(getProductPrice)(async ({ body }) => {
    const { client } = requireStripe(deps.stripe);
    const sold = (await readSold(deps)).find(({ price_id }) => price_id === body.price_id);
    if (sold === undefined) throw new AppError('pricing_not_found');
    return { data: priceItem(await askStripe(() => client.prices.retrieve(sold.price_id)), sold.tier) };
  }),
];

const refresh = async (deps: BillingDeps, clientId: string) => {
  requireStripe(deps.stripe);
  const hasChanged = await synchronize(deps, clientId);
  const { tier } = await deps.database.forClient(clientId, (db) => readPlan(db, clientId));
  return { tier, has_changed: hasChanged };
};

/** What Stripe has of an organisation. Its own people ask, or a superadmin, whose look is written down. */
export const stripeReadEndpoints = (deps: BillingDeps): Endpoint[] => [
  callerEndpoint(refreshOwnPlan)(async ({ caller }) => ({ success: true, data: await refresh(deps, caller.clientId) })),
  callerEndpoint(refreshSubscription)(async ({ params, ...input }) => {
    requireStripe(deps.stripe);
    await admitReader(deps, input, params.id);
    return { success: true, data: await refresh(deps, params.id) };
  }),
  callerEndpoint(getStripeCustomer)(async ({ params, ...input }) => {
    const { client } = requireStripe(deps.stripe);
    const customer = await readCustomer(client, await requireCustomerId(deps, input, params.id));
    if (customer === undefined) throw new AppError('not_found', NOT_BOUGHT);
    const { id, name, email, address } = customer;
    const attributes = {
      name: name ?? null,
      email,
      address: address?.line1 ?? null,
      card: cardOfCustomer(customer),
    };
    return { data: { _id: id, attributes } };
  }),
  callerEndpoint(getStripeSubscription)(async ({ params, ...input }) => {
    const { client } = requireStripe(deps.stripe);
    const subscription = await readSubscription(client, await requireCustomerId(deps, input, params.id));
    if (subscription === undefined) throw new AppError('not_found', NOT_BOUGHT);
    const [item] = subscription.items.data;
    return {
      data: {
        _id: subscription.id,
        attributes: {
          status: subscription.status,
          price_id: item?.price.id ?? null,
          current_period_end: item === undefined ? null : timeOf(item.current_period_end),
          cancel_at_period_end: subscription.cancel_at_period_end,
          created_at: timeOf(subscription.created),
        },
      },
    };
  }),
  ...invoiceEndpoints(deps),
  ...priceEndpoints(deps),
];
