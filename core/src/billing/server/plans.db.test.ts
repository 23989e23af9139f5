import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUser, createUsers, type TestUsers } from '../../../../tools/testing/users.ts';

let server: TestServer;
let others: TestUsers;
beforeAll(async () => {
  server = await startTestServer();
  others = await createUsers(server.scene.database, 'Other Organisation');
});
afterAll(() => server.close());

type As = Parameters<TestServer['call']>[2];
const call = (method: string, path: string, body?: unknown, as: NonNullable<As>['as'] = 'superadmin') =>
  server.call(method, path, { as, body });

const SMALL = {
  tier: 'small',
  title: 'Small',
  amount_cents: 4900,
  limits: { repositories: 2, developers: 4, remediations: 3 },
};

const setTier = (clientId: string, tier: string) =>
  server.scene.owner.query('update clients set subscription_tier = $2 where id = $1', [clientId, tier]);

const addRepositories = (names: readonly string[], as: NonNullable<As>['as'] = 'admin') =>
  call(
    'POST',
    '/create_repository_with_list',
    {
      source_control: 'git',
      data: names.map((nickname) => ({ nickname, url: `https://git.example.test/${nickname}.git` })),
    },
    as,
  );

test('everybody reads the plans, without signing in; the free one is there from the start', async () => {
  const { status, body } = await server.call('GET', '/pricings');
  expect(status).toBe(200);
  expect(body.data[0].attributes).toMatchObject({
    tier: 'free',
    amount_cents: 0,
    limits: { repositories: null, developers: null, remediations: 200 },
    prices: { month: null, year: null },
  });
});

test('a superadmin adds, changes and deletes plans; the discount is 10 where none is given and 0 outside 0-100', async () => {
  const made = await call('POST', '/pricing/create', { ...SMALL, tier: 'made', features: ['All scanners'] });
  expect(made.body.data.attributes).toMatchObject({
    yearly_discount: 10,
    yearly_amount_cents: 52_900,
    interval: 'month',
  });
  const id: string = made.body.data._id;
  const changed = await call('PUT', `/pricing/${id}`, { yearly_discount: 101, limits: { repositories: null } });
  expect(changed.body.data.attributes).toMatchObject({
    yearly_discount: 0,
    yearly_amount_cents: 58_800,
    limits: { repositories: null, developers: 4, remediations: 3 },
    features: ['All scanners'],
  });
  expect((await call('GET', `/pricing/${id}`, undefined, 'developer')).body.data.attributes.title).toBe('Small');
  expect((await call('DELETE', `/pricing/${id}`)).body).toEqual({ success: true });
  expect((await call('GET', `/pricing/${id}`)).body.code).toBe('pricing_not_found');
  expect((await call('PUT', `/pricing/${id}`, { title: 'x' })).status).toBe(404);
  expect((await call('DELETE', `/pricing/${id}`)).status).toBe(404);
});

test.each([
  [{ ...SMALL, tier: 'Team Plan' }],
  [{ ...SMALL, amount_cents: -100 }],
  [{ ...SMALL, amount_cents: 4950 }],
  [{ ...SMALL, amount_cents: '4900' }],
  [{ ...SMALL, interval: 'week' }],
  [{ ...SMALL, limits: { repositories: -1 } }],
  [{ ...SMALL, limits: { scans: 1 } }],
  [{ ...SMALL, price_id: 'price_1' }],
  [{ tier: 'small' }],
])('%j is no plan', async (body) => {
  expect((await call('POST', '/pricing/create', body)).status).toBe(422);
});

test('a tier exists once, also when two superadmins add it at the same time', async () => {
  const body = { ...SMALL, tier: 'twice' };
  const answers = await Promise.all([1, 2, 3].map(() => call('POST', '/pricing/create', body)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test('a plan that organisations have cannot be deleted, the free one never, and it costs nothing', async () => {
  const { body } = await call('POST', '/pricing/create', { ...SMALL, tier: 'held' });
  await setTier(others.clientId, 'held');
  expect((await call('DELETE', `/pricing/${body.data._id}`)).status).toBe(409);
  const free = (await server.call('GET', '/pricings')).body.data.find(
    ({ attributes }: { attributes: { tier: string } }) => attributes.tier === 'free',
  );
  expect((await call('DELETE', `/pricing/${free._id}`)).status).toBe(409);
  expect((await call('PUT', `/pricing/${free._id}`, { amount_cents: 100 })).status).toBe(409);
});

test.each(['admin', 'cyberoper', 'developer'] as const)('a plan is not written by %s', async (role) => {
  expect((await call('POST', '/pricing/create', SMALL, role)).status).toBe(403);
  expect((await server.call('POST', '/pricing/create', { body: SMALL })).status).toBe(401);
});

test('limits: what exceeds them is refused, from several requests at once too, and a downgrade loses nothing', async () => {
  await call('POST', '/pricing/create', SMALL);
  expect((await addRepositories(['one', 'two', 'three'])).status).toBe(200);
  await setTier(server.users.clientId, 'small');
  const plan = (await call('GET', '/client/plan', undefined, 'admin')).body.data;
  expect(plan.use).toEqual({
    repositories: { used: 3, limit: 2 },
    developers: { used: 3, limit: 4 },
    remediations: { used: 0, limit: 3 },
  });
  const refused = await addRepositories(['four']);
  expect([refused.status, refused.body.code]).toEqual([403, 'plan_limit']);
  expect(refused.body.detail).toContain('The plan Small allows 2 repositories. This would make it 4.');
  // what is there already is answered, not counted again
  expect((await addRepositories(['one'])).status).toBe(200);
  const { body } = await call('GET', '/repositories', undefined, 'admin');
  expect(body.meta.pagination.total).toBe(3);

  const invite = (email: string) => call('POST', '/team', { email, role: 'developer' }, 'admin');
  const invited = await Promise.all(['a', 'b', 'c'].map((name) => invite(`${name}@harbour.example`)));
  expect(invited.map(({ status }) => status).toSorted()).toEqual([201, 403, 403]);
});

test('a limit holds when repositories are added at the same time', async () => {
  await setTier(others.clientId, 'small');
  const as = { token: others.admin.token };
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => addRepositories([name], as)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(3);
});

test('a limit of remediations is that of the plan', async () => {
  await setTier(server.users.clientId, 'small');
  const { body } = await call('GET', '/ai_usage', undefined, 'admin');
  expect(body.data.limit).toBe(3);
});

test('the free plan is chosen by PUT /client: the admins are told, and it is written down once', async () => {
  await setTier(server.users.clientId, 'small');
  const choose = () => call('PUT', '/client', { subscription: { tier: 'free' } }, 'admin');
  const answers = await Promise.all([choose(), choose()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const notices = (await call('GET', '/client/notifications', undefined, 'admin')).body.data.filter(
    ({ attributes }: { attributes: { notification_type: string } }) => attributes.notification_type === 'plan_changed',
  );
  expect(notices).toHaveLength(1);
  expect(notices[0].attributes).toMatchObject({ title: 'The plan is now Free', link: '/plan-pricings' });
  const { rows } = await server.scene.owner.query(
    "select actor, details from audit_entries where kind = 'billing.plan-changed' and client_id = $1",
    [server.users.clientId],
  );
  expect(rows).toEqual([{ actor: server.users.admin.username, details: { from: 'small', to: 'free' } }]);
  expect((await call('PUT', '/client', { subscription: { tier: 'small' } }, 'admin')).status).toBe(422);
});

test('plan and use are for admins, and without the keys of Stripe every call that needs it says so', async () => {
  const developer = await createUser(server.scene.database, server.users.clientId, 'developer');
  expect((await call('GET', '/client/plan', undefined, { token: developer.token })).status).toBe(403);
  const plan = await call('GET', '/client/plan', undefined, 'admin');
  expect(plan.body.data).toMatchObject({ tier: 'free', subscription: null, card: null, is_payment_configured: false });
  const { clientId } = server.users;
  const calls: [string, string, unknown?][] = [
    ['POST', '/stripe/create-checkout-session', { price_id: 'price_1', quantity: 1 }],
    ['POST', '/stripe/portal'],
    ['GET', '/stripe/plans'],
    ['POST', '/api/product/price', { price_id: 'price_1' }],
    ['POST', '/client/plan/refresh'],
    ['GET', `/stripe/customer/${clientId}`],
    ['GET', `/stripe/subscription/${clientId}`],
    ['GET', `/stripe/invoices/list/${clientId}`],
    ['GET', '/stripe/invoice/in_1'],
  ];
  for (const [method, path, body] of calls) {
    const answer = await call(method, path, body, 'admin');
    expect([path, answer.status, answer.body.code]).toEqual([path, 409, 'integration_not_configured']);
    expect(answer.body.detail).toContain('STRIPE_SECRET_KEY');
  }
  const event = await server.call('POST', '/stripe/webhook', { body: {} });
  expect(event.body.code).toBe('integration_not_configured');
});

test('a card in the billing form is refused unless it is what Stripe returned', async () => {
  await server.scene.owner.query(
    "insert into billing_accounts (client_id, customer_id, card_brand, card_last4) values ($1, 'cus_1', 'visa', '4242')",
    [server.users.clientId],
  );
  const save = (credit_card: unknown) =>
    call('PUT', '/client/billing', { legal_name: 'Harbour AG', credit_card }, 'admin');
  expect((await save({ brand: 'visa', last4: '4242' })).status).toBe(200);
  for (const card of [{ brand: 'visa', last4: '1111' }, { brand: 'amex', last4: '4242' }, '4242424242424242', '4242']) {
    expect((await save(card)).status).toBe(422);
  }
  expect((await save({ brand: 'visa', last4: '4242', number: '4242424242424242' })).status).toBe(422);
  expect(server.logs.join('\n')).not.toContain('4242424242424242');
  const { body } = await call('GET', '/client', undefined, 'admin');
  expect(await server.signer.verify(body.data)).toMatchObject({ credit_card: { brand: 'visa', last4: '4242' } });
});

test('a superadmin puts an organisation on trial and ends it: no limits meanwhile, then the free plan; both are told and written down', async () => {
  const { clientId } = others;
  const admin = { token: others.admin.token };
  await setTier(clientId, 'free');
  const pilot = (piloting: boolean, as: NonNullable<As>['as'] = 'superadmin') =>
    call('PUT', '/api/manage-clients/piloting', { request: { client_id: clientId, piloting } }, as);
  expect((await pilot(true, admin)).status).toBe(403);
  expect((await pilot(true)).body).toEqual({ success: true, data: { client_id: clientId, tier: 'trial' } });
  expect((await pilot(true)).body.data.tier).toBe('trial');
  const own = (await call('GET', '/client/plan', undefined, admin)).body.data;
  expect(own).toMatchObject({ tier: 'trial', title: 'Trial', use: { remediations: { limit: null } } });
  expect((await pilot(false)).body.data.tier).toBe('free');
  expect((await pilot(false)).body.data.tier).toBe('free');
  const entries = (await call('GET', '/audit?filters[kind]=billing.plan-changed', undefined, admin)).body.data;
  expect(entries.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
    { actor_type: 'superadmin', details: { from: 'trial', to: 'free' } },
    { actor_type: 'superadmin', details: { from: 'free', to: 'trial' } },
  ]);
  const notices = (await call('GET', '/client/notifications', undefined, admin)).body.data;
  expect(notices.map(({ attributes }: { attributes: { title: string } }) => attributes.title)).toEqual([
    'The plan is now Trial',
    'The plan is now Free',
  ]);
});

test('who pays for a plan is not put on trial, and who does not exist is not found', async () => {
  const { clientId } = others;
  await setTier(clientId, 'free');
  await server.scene.owner.query(
    "insert into billing_accounts (client_id, customer_id, subscription_status) values ($1, 'cus_pilot', 'active')",
    [clientId],
  );
  const pilot = (client_id: string) =>
    call('PUT', '/api/manage-clients/piloting', { request: { client_id, piloting: true } });
  expect((await pilot(clientId)).status).toBe(409);
  expect((await pilot('01990000-0000-7000-8000-000000000000')).status).toBe(404);
  expect((await call('PUT', '/api/manage-clients/piloting', { client_id: clientId })).status).toBe(422);
});
