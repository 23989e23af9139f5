import type Stripe from 'stripe';
import type { StripeAccount } from './stripe-account.ts';
import { StripeRefusal } from './stripe-account.ts';
import { listOf } from './stripe-objects.ts';

interface Asked {
  method: string;
  path: string;
  form: URLSearchParams;
}

interface Parts {
  account: StripeAccount;
  form: URLSearchParams;
  query: URLSearchParams;
  /** Of the path. */
  id: string;
}

/** `metadata[a]=b` as an object. */
const metadataOf = (form: URLSearchParams, prefix = 'metadata'): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([key, value]) =>
      key.startsWith(`${prefix}[`) ? [[key.slice(prefix.length + 1, -1), value]] : [],
    ),
  );

const required = (form: URLSearchParams, name: string): string => {
  const value = form.get(name);
  if (value === null || value === '') {
    throw new StripeRefusal(400, 'invalid_request_error', `Missing required param: ${name}.`, 'parameter_missing');
  }
  return value;
};

const intervalOf = (form: URLSearchParams): 'month' | 'year' => {
  const interval = required(form, 'recurring[interval]');
  if (interval === 'month' || interval === 'year') return interval;
  throw new StripeRefusal(400, 'invalid_request_error', `Invalid recurring[interval]: ${interval}`);
};

const addressOf = (form: URLSearchParams): Stripe.Address => ({
  ...{ city: null, country: null, line2: null, postal_code: null, state: null },
  line1: form.get('address[line1]'),
});

const expands = (query: URLSearchParams, what: string): boolean =>
  [...query].some(([key, value]) => key.startsWith('expand') && value === what);

const customer = ({ account, query, id }: Parts) => {
  const found = account.find(account.customers, id);
  const method = account.methods.get(String(found.invoice_settings.default_payment_method));
  if (method === undefined || !expands(query, 'invoice_settings.default_payment_method')) return found;
  return { ...found, invoice_settings: { ...found.invoice_settings, default_payment_method: method } };
};

const subscriptions = ({ account, query }: Parts) => {
  const all = [...account.subscriptions.values()].filter((one) => one.customer === query.get('customer'));
  const shown = query.get('status') === 'all' ? all : all.filter(({ status }) => status !== 'canceled');
  const withMethod = shown.map((one) => ({
    ...one,
    default_payment_method: account.methods.get(String(one.default_payment_method)) ?? one.default_payment_method,
  }));
  return listOf(expands(query, 'data.default_payment_method') ? withMethod : shown, '/v1/subscriptions');
};

const openPortal = ({ account, form }: Parts) => {
  const flow = form.get('flow_data[type]');
  const change =
    flow === null
      ? undefined
      : {
          subscription: required(form, 'flow_data[subscription_update_confirm][subscription]'),
          item: required(form, 'flow_data[subscription_update_confirm][items][0][id]'),
          price: required(form, 'flow_data[subscription_update_confirm][items][0][price]'),
          returnUrl: required(form, 'flow_data[after_completion][redirect][return_url]'),
        };
  return account.openPortal(required(form, 'customer'), form.get('return_url'), change);
};

const ofCustomer = <T extends { customer: unknown }>(all: Iterable<T>, query: URLSearchParams): T[] =>
  [...all].filter((one) => one.customer === query.get('customer')).toReversed();

/** Archives it, or takes it out of the archive. */
const withActive = <T extends { active: boolean }>(one: T, form: URLSearchParams): T =>
  Object.assign(one, { active: required(form, 'active') === 'true' });

type Handler = (parts: Parts) => unknown;

/** What the product asks of Stripe, by method and path. */
const ROUTES: readonly [method: string, path: RegExp, handle: Handler][] = [
  ['POST', /^\/v1\/customers$/, ({ account, form }) => account.addCustomer(metadataOf(form))],
  ['GET', /^\/v1\/customers\/(\w+)$/, customer],
  [
    'POST',
    /^\/v1\/customers\/(\w+)$/,
    ({ account, form, id }) => account.changeCustomer(id, { name: form.get('name'), address: addressOf(form) }),
  ],
  [
    'POST',
    /^\/v1\/products$/,
    ({ account, form }) =>
      account.addProduct({
        name: required(form, 'name'),
        description: form.get('description'),
        metadata: metadataOf(form),
      }),
  ],
  [
    'POST',
    /^\/v1\/prices$/,
    ({ account, form }) =>
      account.addPrice({
        product: required(form, 'product'),
        currency: required(form, 'currency'),
        unit_amount: Number(required(form, 'unit_amount')),
        interval: intervalOf(form),
      }),
  ],
  [
    'GET',
    /^\/v1\/prices$/,
    ({ account }) =>
      listOf(
        [...account.prices.values()].filter(({ active }) => active),
        '/v1/prices',
      ),
  ],
  ['GET', /^\/v1\/prices\/(\w+)$/, ({ account, id }) => account.find(account.prices, id)],
  ['POST', /^\/v1\/prices\/(\w+)$/, ({ account, form, id }) => withActive(account.find(account.prices, id), form)],
  ['GET', /^\/v1\/products\/(\w+)$/, ({ account, id }) => account.find(account.products, id)],
  ['POST', /^\/v1\/products\/(\w+)$/, ({ account, form, id }) => withActive(account.find(account.products, id), form)],
  [
    'POST',
    /^\/v1\/checkout\/sessions$/,
    ({ account, form }) =>
      account.openCheckout({
        customer: required(form, 'customer'),
        price: required(form, 'line_items[0][price]'),
        reference: form.get('client_reference_id'),
        metadata: metadataOf(form),
        successUrl: required(form, 'success_url'),
        cancelUrl: required(form, 'cancel_url'),
      }),
  ],
  [
    'GET',
    /^\/v1\/checkout\/sessions$/,
    ({ account, query }) => {
      const status = query.get('status');
      const all = ofCustomer(account.checkouts.values(), query);
      return listOf(status === null ? all : all.filter((one) => one.status === status), '/v1/checkout/sessions');
    },
  ],
  ['POST', /^\/v1\/checkout\/sessions\/(\w+)\/expire$/, ({ account, id }) => account.expireCheckout(id)],
  ['GET', /^\/v1\/subscriptions$/, subscriptions],
  [
    'POST',
    /^\/v1\/subscriptions\/(\w+)$/,
    ({ account, form, id }) =>
      account.changeSubscription(id, { cancel_at_period_end: form.get('cancel_at_period_end') === 'true' }),
  ],
  [
    'GET',
    /^\/v1\/invoices$/,
    ({ account, query }) => listOf(ofCustomer(account.invoices.values(), query), '/v1/invoices'),
  ],
  ['GET', /^\/v1\/invoices\/(\w+)$/, ({ account, id }) => account.find(account.invoices, id)],
  ['POST', /^\/v1\/billing_portal\/sessions$/, openPortal],
];

/** Answers one request of the API. @throws StripeRefusal */
export const answerStripe = (account: StripeAccount, { method, path, form }: Asked): unknown => {
  const { pathname, searchParams: query } = new URL(path, 'http://stripe');
  for (const [known, pattern, handle] of ROUTES) {
    const match = known === method ? pattern.exec(pathname) : null;
    if (match !== null) return handle({ account, form, query, id: match[1] ?? '' });
  }
  throw new StripeRefusal(404, 'invalid_request_error', `Unrecognized request URL (${method}: ${pathname}).`);
};
