import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../../tools/testing/server.ts';
import { createUsers, type TestUsers } from '../../../../../tools/testing/users.ts';
import { type FakeStripe, startFakeStripe } from '../../../testing/stripe/stripe-server.ts';

let stripe: FakeStripe;
let server: TestServer;
let hooks: string;
const prices: Record<string, string> = {};

type As = NonNullable<Parameters<TestServer['call']>[2]>['as'];
const call = (method: string, path: string, body?: unknown, as: As = 'admin') =>
  server.call(method, path, { as, body });

const sell = async (tier: string, amount_cents: number): Promise<void> => {
  const plan = await call('POST', '/pricing/create', { tier, title: tier, amount_cents }, 'superadmin');
  const pricing_id: string = plan.body.data._id;
  const made = await call('POST', '/stripe/products', { pricing_id }, 'superadmin');
  const again = await call('POST', '/stripe/products', { pricing_id }, 'superadmin');
  expect(again.body).toEqual(made.body);
  const linked = await call(
    'POST',
    '/stripe/link-product-with-database',
    { pricing_id, ...made.body.data },
    'superadmin',
  );
  expect(linked.status).toBe(200);
  prices[tier] = linked.body.data.attributes.prices.month;
  prices[`${tier}-yearly`] = linked.body.data.attributes.prices.year;
};

beforeAll(async () => {
  stripe = await startFakeStripe();
  server = await startTestServer({ environment: stripe.environment, isWorking: true });
  hooks = `${server.baseUrl}/api/v1/stripe/webhook`;
  await sell('team', 4900);
  await sell('business', 19_900);
});
afterAll(async () => {
  await server.close();
  await stripe.close();
});

const organization = (): Promise<TestUsers> => createUsers(server.scene.database, 'Harbour Works');
const tierOf = async ({ clientId }: TestUsers): Promise<string> =>
  (await server.scene.owner.query('select subscription_tier as tier from clients where id = $1', [clientId])).rows[0]
    .tier;
const changesOf = async ({ clientId }: TestUsers): Promise<string[]> => {
  const { rows } = await server.scene.owner.query(
    "select details->>'to' as tier from audit_entries where client_id = $1 and kind = 'billing.plan-changed' order by id",
    [clientId],
  );
  return rows.map(({ tier }) => tier);
};

const checkout = (people: TestUsers, plan: string) =>
  call(
    'POST',
    '/stripe/create-checkout-session',
    { price_id: prices[plan], quantity: 1 },
    { token: people.admin.token },
  );

/** The checkout behind an address. */
const sessionOf = (answer: { body: { data: { url: string } } }): string => answer.body.data.url.split('/').at(-1) ?? '';

const buy = async (people: TestUsers, plan: string) => {
  const answer = await checkout(people, plan);
  expect(answer.status).toBe(200);
  return stripe.account.pay(sessionOf(answer));
};

const refresh = (people: TestUsers) => call('POST', '/client/plan/refresh', undefined, { token: people.admin.token });

test('a plan is bought: the event of the payment changes it, and people are told', async () => {
  stripe.sendEventsTo(hooks);
  const people = await organization();
  await buy(people, 'team');
  await stripe.settled();
  await expect.poll(() => tierOf(people), { timeout: 30_000 }).toBe('team');
  stripe.sendEventsTo(undefined);
  const as = { token: people.admin.token };
  const plan = (await call('GET', '/client/plan', undefined, as)).body.data;
  expect(plan).toMatchObject({
    tier: 'team',
    subscription: { status: 'active', price_id: prices['team'], cancel_at_period_end: false },
    card: { brand: 'visa', last4: '4242' },
  });
  const notices = (await call('GET', '/client/notifications', undefined, as)).body.data;
  expect(notices.map(({ attributes }: { attributes: { title: string } }) => attributes.title)).toContain(
    'The plan is now team',
  );
  expect(await changesOf(people)).toEqual(['team']);
  // every request said which version it means
  expect(new Set(stripe.requests.map(({ version }) => version))).toEqual(new Set(['2026-10-28.endive']));
});

test('events that are repeated, in parallel and out of order have one effect', async () => {
  const people = await organization();
  const before = stripe.account.events.length;
  const subscription = await buy(people, 'team');
  stripe.account.changePrice(subscription.id, prices['business'] ?? '');
  const events = stripe.account.events.slice(before);
  expect(events.map(({ type }) => type)).toContain('customer.subscription.updated');
  const sent = [...events.toReversed(), ...events, ...events];
  const statuses = await Promise.all(sent.map((event) => stripe.deliver(event, { url: hooks })));
  expect(new Set(statuses)).toEqual(new Set([200]));
  await expect.poll(() => tierOf(people), { timeout: 30_000 }).toBe('business');
  // the oldest once more, long after
  for (const event of events) expect(await stripe.deliver(event, { url: hooks })).toBe(200);
  await refresh(people);
  expect(await tierOf(people)).toBe('business');
  expect(await changesOf(people)).toEqual(['business']);
  const { rows } = await server.scene.owner.query('select count(*)::int as n from stripe_events where client_id = $1', [
    people.clientId,
  ]);
  expect(rows[0].n).toBe(new Set(events.map(({ id }) => id)).size);
});

test('an event of an ended subscription that arrives before the one that began it ends right', async () => {
  const people = await organization();
  const before = stripe.account.events.length;
  const subscription = await buy(people, 'team');
  await refresh(people);
  stripe.account.endSubscription(subscription.id);
  for (const event of stripe.account.events.slice(before).toReversed()) await stripe.deliver(event, { url: hooks });
  await expect.poll(() => tierOf(people), { timeout: 30_000 }).toBe('free');
  expect(await changesOf(people)).toEqual(['team', 'free']);
});

test('forged and old events are refused and change nothing', async () => {
  const people = await organization();
  await buy(people, 'team');
  const event = stripe.account.events.at(-1);
  if (event === undefined) throw new Error('no event');
  expect(await stripe.deliver(event, { url: hooks, secret: 'whsec_of_somebody_else' })).toBe(403);
  expect(await stripe.deliver(event, { url: hooks, sentAt: Math.floor(Date.now() / 1000) - 3600 })).toBe(403);
  const bare = await fetch(hooks, { method: 'POST', body: JSON.stringify(event) });
  expect(bare.status).toBe(403);
  const broken = await fetch(hooks, { method: 'POST', headers: { 'stripe-signature': 't=1,v1=00' }, body: '{' });
  expect(broken.status).toBe(403);
  const huge = await fetch(hooks, { method: 'POST', body: 'x'.repeat(1_100_000) });
  expect(huge.status).toBe(413);
  expect(await tierOf(people)).toBe('free');
});

test('an event about nobody here is taken, so that it is not sent again', async () => {
  stripe.account.addCustomer({ client_id: server.users.clientId });
  const event = stripe.account.events.at(-1);
  if (event === undefined) throw new Error('no event');
  expect(await stripe.deliver(event, { url: hooks })).toBe(200);
  expect(await tierOf(server.users)).toBe('free');
});

test('without any event the plan follows: a job looks while somebody is at Stripe', async () => {
  const people = await organization();
  await buy(people, 'team');
  await server.scene.owner.query(
    "update billing_accounts set synced_at = now() - interval '2 minutes' where client_id = $1",
    [people.clientId],
  );
  await expect.poll(() => tierOf(people), { timeout: 90_000 }).toBe('team');
});

test('checkouts at the same time are one, and one for another plan closes the first', async () => {
  const people = await organization();
  const answers = await Promise.all([1, 2, 3].map(() => checkout(people, 'team')));
  const opened = answers.filter(({ status }) => status === 200);
  expect(opened.length).toBeGreaterThan(0);
  expect(answers.every(({ status, body }) => status === 200 || body.code === 'conflict')).toBe(true);
  expect(new Set(opened.map(sessionOf)).size).toBe(1);
  const other = await checkout(people, 'business');
  const mine = [...stripe.account.checkouts.values()].filter(
    ({ client_reference_id }) => client_reference_id === people.clientId,
  );
  expect(mine.map(({ status }) => status)).toEqual(['expired', 'open']);
  expect(() => stripe.account.pay(sessionOf(opened[0] ?? other))).toThrow(/not open/);
  expect(mine.map(({ amount_total }) => amount_total)).toEqual([4900, 19_900]);
  expect(
    [...stripe.account.customers.values()].filter(({ metadata }) => metadata['client_id'] === people.clientId),
  ).toHaveLength(1);
});

test.each([
  [{ price_id: 'price_unknown', quantity: 1 }, 404],
  [{ price_id: 'price_1', amount: 1 }, 422],
  [{ price_id: '../prices', quantity: 1 }, 422],
  [{ price_id: 'price_1', quantity: 0 }, 422],
  [{ price_id: 'price_1', quantity: 2 }, 422],
  [{}, 422],
])('%j opens no checkout', async (body, status) => {
  expect((await call('POST', '/stripe/create-checkout-session', body)).status).toBe(status);
});

test('a price of an earlier amount sells no more, and who pays by it keeps the plan', async () => {
  const people = await organization();
  const { body } = await server.call('GET', '/pricings');
  const plan = body.data.find(({ attributes }: { attributes: { tier: string } }) => attributes.tier === 'business');
  await buy(people, 'business');
  expect(
    (await call('PUT', `/pricing/${plan._id}`, { amount_cents: 29_900 }, 'superadmin')).body.data.attributes.prices,
  ).toEqual({
    month: null,
    year: null,
  });
  expect((await checkout(await organization(), 'business')).body.code).toBe('pricing_not_found');
  await refresh(people);
  expect(await tierOf(people)).toBe('business');
  // back again: the prices are there and are linked anew
  await call('PUT', `/pricing/${plan._id}`, { amount_cents: 19_900 }, 'superadmin');
  const made = (await call('POST', '/stripe/products', { pricing_id: plan._id }, 'superadmin')).body.data;
  const wrong = stripe.account.addPrice({
    product: made.product_id,
    currency: 'usd',
    unit_amount: 100,
    interval: 'month',
  });
  const link = (price_ids: string[]) =>
    call(
      'POST',
      '/stripe/link-product-with-database',
      { pricing_id: plan._id, product_id: made.product_id, price_ids },
      'superadmin',
    );
  expect((await link([wrong.id])).body.code).toBe('conflict');
  expect((await link([prices['team'] ?? ''])).body.code).toBe('conflict');
  expect((await link(['price_nowhere'])).body.code).toBe('upstream_failed');
  expect((await link(made.price_ids)).body.data.attributes.prices.month).toBe(prices['business']);
});

test('an upgrade is confirmed at Stripe; the free plan ends the subscription with its period', async () => {
  const people = await organization();
  const subscription = await buy(people, 'team');
  await refresh(people);
  expect((await checkout(people, 'team')).body.code).toBe('conflict');
  const upgrade = await checkout(people, 'business');
  expect(upgrade.body.data.url).toContain('/portal/');
  const confirmed = await fetch(upgrade.body.data.url, { method: 'POST', redirect: 'manual' });
  expect(confirmed.headers.get('location')).toMatch(/\/payment\/success$/);
  expect((await refresh(people)).body.data).toEqual({ tier: 'business', has_changed: true });
  const as = { token: people.admin.token };
  expect((await call('PUT', '/client', { subscription: { tier: 'free' } }, as)).status).toBe(200);
  expect((await call('GET', '/client/plan', undefined, as)).body.data).toMatchObject({
    tier: 'business',
    subscription: { cancel_at_period_end: true },
  });
  stripe.account.endSubscription(subscription.id);
  await refresh(people);
  expect(await tierOf(people)).toBe('free');
});

test('a plan that is not paid through Stripe is left alone', async () => {
  const people = await organization();
  await checkout(people, 'team');
  await server.scene.owner.query("update clients set subscription_tier = 'trial' where id = $1", [people.clientId]);
  await refresh(people);
  expect(await tierOf(people)).toBe('trial');
});

test('customer, subscription and invoices are those of the own organisation; a superadmin’s look is written down', async () => {
  const [mine, theirs] = [await organization(), await organization()];
  await call('PUT', '/client/billing', { legal_name: 'Harbour AG', address: 'Pier 9' }, { token: mine.admin.token });
  await buy(mine, 'team');
  await buy(theirs, 'team');
  await Promise.all([mine, theirs].map(refresh));
  const as = { token: mine.admin.token };
  const get = (path: string, who: As = as) => call('GET', path, undefined, who);
  expect((await get(`/stripe/customer/${mine.clientId}`)).body.data.attributes).toMatchObject({
    name: 'Harbour AG',
    address: 'Pier 9',
    card: { brand: 'visa', last4: '4242' },
  });
  expect((await get(`/stripe/subscription/${mine.clientId}`)).body.data.attributes.status).toBe('active');
  const list = (await get(`/stripe/invoices/list/${mine.clientId}`)).body.data;
  expect(list).toHaveLength(1);
  expect((await get(`/stripe/invoice/${list[0]._id}`)).body.data.attributes).toMatchObject({
    total_cents: 4900,
    status: 'paid',
    pdf_url: `${stripe.url}/invoices/${list[0]._id}/pdf`,
  });
  const other = (await get(`/stripe/invoices/list/${theirs.clientId}`, { token: theirs.admin.token })).body.data[0]._id;
  for (const path of [
    `/stripe/customer/${theirs.clientId}`,
    `/stripe/subscription/${theirs.clientId}`,
    `/stripe/invoices/list/${theirs.clientId}`,
    `/stripe/invoice/${other}`,
    '/stripe/invoice/in_nowhere',
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect([path, (await get(path, { token: mine.cyberoper.token })).status]).toEqual([path, 403]);
  }
  const refreshTheirs = `/stripe/refresh/${theirs.clientId}`;
  expect((await call('POST', refreshTheirs, undefined, as)).status).toBe(403);
  expect((await call('POST', refreshTheirs, undefined, 'superadmin')).body.data).toEqual({
    tier: 'team',
    has_changed: false,
  });
  expect((await get(`/stripe/invoice/${other}`, 'superadmin')).status).toBe(200);
  const { rows } = await server.scene.owner.query(
    "select details->>'path' as path from audit_entries where client_id = $1 and kind = 'superadmin.read' order by id",
    [theirs.clientId],
  );
  expect(rows.map(({ path }) => path)).toEqual([
    expect.stringContaining(refreshTheirs),
    expect.stringContaining(`/stripe/invoice/${other}`),
  ]);
});

test('prices that sell a plan are as Stripe has them', async () => {
  const { body } = await call('GET', '/stripe/plans');
  expect(body.data.find(({ _id }: { _id: string }) => _id === prices['team'])?.attributes).toMatchObject({
    tier: 'team',
    amount_cents: 4900,
    interval: 'month',
  });
  const price = await call('POST', '/api/product/price', { price_id: prices['team-yearly'] });
  expect(price.body.data.attributes).toMatchObject({ tier: 'team', amount_cents: 52_900, interval: 'year' });
  expect((await call('POST', '/api/product/price', { price_id: 'price_unknown' })).status).toBe(404);
});

test('what Stripe refuses is told with its reason, and nothing else of it', async () => {
  const people = await organization();
  await server.scene.owner.query("insert into billing_accounts (client_id, customer_id) values ($1, 'cus_gone')", [
    people.clientId,
  ]);
  const answer = await refresh(people);
  expect([answer.status, answer.body.code]).toEqual([409, 'upstream_failed']);
  expect(answer.body.detail).toContain('No such object');
  expect(JSON.stringify(answer.body) + server.logs.join('')).not.toContain('sk_test_breakwater');
});

test('a plan that is deleted here is sold at Stripe no more; where Stripe is away it stays', async () => {
  await sell('passing', 9900);
  const found = (await server.call('GET', '/pricings')).body.data.find(
    ({ attributes }: { attributes: { tier: string } }) => attributes.tier === 'passing',
  );
  const [month = '', year = ''] = [prices['passing'], prices['passing-yearly']];
  const product = String(stripe.account.prices.get(month)?.product);
  const known = stripe.account.prices.get(year);
  stripe.account.prices.delete(year);
  const refused = await call('DELETE', `/pricing/${found._id}`, undefined, 'superadmin');
  expect(refused.body.code).toBe('upstream_failed');
  expect((await call('GET', `/pricing/${found._id}`)).status).toBe(200);
  if (known !== undefined) stripe.account.prices.set(year, known);
  expect((await call('DELETE', `/pricing/${found._id}`, undefined, 'superadmin')).status).toBe(200);
  expect([month, year].map((id) => stripe.account.prices.get(id)?.active)).toEqual([false, false]);
  expect(stripe.account.products.get(product)?.active).toBe(false);
});
