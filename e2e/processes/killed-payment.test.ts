import { startFakeStripe } from '@breakwater/core/testing/stripe/stripe-server.ts';
import { expect, test } from 'vitest';
import { ADMIN, setUp, signIn } from '../harness/api.ts';
import { sellPlan } from '../harness/plans.ts';
import { emptyFolder, removeFolder, startServer } from '../harness/server.ts';

const SUPERADMIN = { email: 'root@platform.example', password: 'Tr0ub4dor&3-root' };
const PATIENCE = { timeout: 300_000, interval: 500 } as const;

test('kill -9 between payment and event, which is lost: the plan is right afterwards', {
  timeout: 900_000,
}, async () => {
  const stripe = await startFakeStripe();
  const dataDirectory = await emptyFolder();
  const environment = {
    ...stripe.environment,
    BREAKWATER_SUPERADMIN_EMAIL: SUPERADMIN.email,
    BREAKWATER_SUPERADMIN_PASSWORD: SUPERADMIN.password,
  };
  let server = await startServer({ dataDirectory, environment });
  try {
    await setUp(server);
    const superadmin = await signIn(server, SUPERADMIN.email, SUPERADMIN.password);
    const limits = { repositories: 5 };
    const price_id = await sellPlan(superadmin, { tier: 'team', title: 'Team', amount_cents: 4900, limits });
    const admin = await signIn(server, ADMIN.username, ADMIN.password);
    const checkout = await admin.call('POST', '/stripe/create-checkout-session', { price_id, quantity: 1 });
    expect(checkout.status, JSON.stringify(checkout.body)).toBe(200);
    stripe.sendEventsTo(`${server.url}/api/v1/stripe/webhook`);
    await server.kill();
    // paid while nobody is there to take the event
    const paid = await fetch(checkout.body.data.url, { method: 'POST', redirect: 'manual' });
    expect(paid.status).toBe(303);
    await stripe.settled();
    stripe.sendEventsTo(undefined);

    server = await startServer({ dataDirectory, environment });
    const again = await signIn(server, ADMIN.username, ADMIN.password);
    const plan = async () => (await again.get('/client/plan')).body.data;
    await expect.poll(async () => (await plan()).tier, PATIENCE).toBe('team');
    expect(await plan()).toMatchObject({ subscription: { status: 'active' }, use: { repositories: { limit: 5 } } });
    expect(server.errors()).toEqual([]);
  } finally {
    await server.stop();
    await stripe.close();
    await removeFolder(dataDirectory);
  }
});
