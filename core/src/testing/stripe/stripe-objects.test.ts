import { readFileSync } from 'node:fs';
import { Errors } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeStripe, STRIPE_KEY, startFakeStripe } from './stripe-server.ts';

/** See `source` in the file. */
const { schemas } = JSON.parse(readFileSync(new URL('stripe-schemas.json', import.meta.url), 'utf8'));

/** What Stripe has removed since the document was written (version 2025-03-31.basil). The library's types lack them, too. */
const REMOVED: Readonly<Record<string, readonly string[]>> = {
  subscription: ['current_period_end', 'current_period_start'],
  invoice: ['paid', 'paid_out_of_band', 'total_tax_amounts'],
};

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await startFakeStripe();
});
afterAll(() => stripe.close());

const ask = async (path: string, form?: Record<string, string>) => {
  const response = await fetch(`${stripe.url}/v1${path}`, {
    headers: { authorization: `Bearer ${STRIPE_KEY}` },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  });
  expect(response.status).toBe(200);
  return JSON.parse(await response.text());
};

const issuesOf = (value: { object: string }): string[] => {
  const schema = schemas[value.object];
  const required = (schema.required ?? []).filter((name: string) => !(REMOVED[value.object] ?? []).includes(name));
  const [isValid, issues] = Errors({ ...schema, required }, value);
  return isValid ? [] : issues.map(({ instancePath, message }) => `${value.object}${instancePath} ${message}`);
};

test('what the fake answers is what Stripe’s own document says', async () => {
  const customer = await ask('/customers', { 'metadata[client_id]': 'x' });
  await ask(`/customers/${customer.id}`, { name: 'Harbour AG', 'address[line1]': 'Pier 9' });
  const product = await ask('/products', { name: 'Team', description: 'For a team' });
  const price = await ask('/prices', {
    product: product.id,
    currency: 'usd',
    unit_amount: '4900',
    'recurring[interval]': 'month',
  });
  const opened = await ask('/checkout/sessions', {
    customer: customer.id,
    'line_items[0][price]': price.id,
    success_url: 'https://breakwater.example/payment/success',
    cancel_url: 'https://breakwater.example/payment/cancel',
  });
  stripe.account.pay(opened.id);
  const portal = await ask('/billing_portal/sessions', {
    customer: customer.id,
    return_url: 'https://breakwater.example/',
  });
  const subscriptions = await ask(
    `/subscriptions?customer=${customer.id}&status=all&expand[]=data.default_payment_method`,
  );
  const invoices = await ask(`/invoices?customer=${customer.id}`);
  const checkouts = await ask(`/checkout/sessions?customer=${customer.id}`);
  const shown = [
    await ask(`/customers/${customer.id}`),
    ...[product, price, opened, portal, subscriptions.data[0], invoices.data[0], checkouts.data[0]],
    subscriptions.data[0].default_payment_method,
    ...stripe.account.events,
  ];
  // a payment method stands in full where the document, trimmed, has its id
  const answers = shown.map((one) =>
    one.object === 'subscription' ? { ...one, default_payment_method: one.default_payment_method.id } : one,
  );
  expect(new Set(answers.map(({ object }) => object))).toEqual(new Set(Object.keys(schemas)));
  expect(answers.flatMap(issuesOf)).toEqual([]);
});

test('the check finds what is wrong', async () => {
  const { data } = await ask('/prices');
  expect(issuesOf({ ...data[0], currency: 7 })).not.toEqual([]);
  expect(issuesOf({ object: 'price' })).not.toEqual([]);
  expect(issuesOf({ ...data[0], type: 'sometimes' })).not.toEqual([]);
});

test('the same key gives the same answer, and refuses another request', async () => {
  const send = (name: string) =>
    fetch(`${stripe.url}/v1/products`, {
      method: 'POST',
      headers: { authorization: `Bearer ${STRIPE_KEY}`, 'idempotency-key': 'once' },
      body: new URLSearchParams({ name }),
    });
  const [first, second, third] = [await send('A'), await send('A'), await send('B')];
  expect(await first.text()).toBe(await second.text());
  expect(third.status).toBe(400);
  expect(JSON.parse(await third.text()).error.type).toBe('idempotency_error');
});
