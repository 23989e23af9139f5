import { describe, expect, it } from 'vitest';
import { type FakeAzure, fakeAzure } from '../testing/fake-azure.ts';
import { check, refusal } from '../testing/open.ts';

const values = {
  client_id: '11111111-1111-4111-8111-111111111111',
  client_secret: 'A8Q~made.for-tests_only',
  subscription_id: '22222222-2222-4222-8222-222222222222',
  tenant_id: '33333333-3333-4333-8333-333333333333',
};
const known: FakeAzure = {
  tenant: values.tenant_id,
  application: values.client_id,
  secret: values.client_secret,
  subscription: values.subscription_id,
  hasRole: true,
  owner: values.tenant_id,
  state: 'Enabled',
};
const other = '44444444-4444-4444-8444-444444444444';

describe('Azure', () => {
  it('reads the subscription as the application', async () => {
    const { identity, service } = await check('azure', { values, answer: fakeAzure(known) });
    expect(identity.identity).toContain('Example Subscription');
    expect(identity.identity).toContain(values.client_id);
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /${values.tenant_id}/oauth2/v2.0/token`,
      `GET /subscriptions/${values.subscription_id}`,
    ]);
  });

  it.each<[string, Partial<typeof values>, Partial<FakeAzure>, string, string]>([
    ['a wrong secret', { client_secret: 'wrong-secret' }, {}, 'auth', 'AADSTS7000215'],
    ['an expired secret', {}, { refuse: 7_000_222 }, 'auth', 'expired'],
    ['a disabled application', {}, { refuse: 7_000_112 }, 'auth', 'disabled'],
    ['a blocking policy', {}, { refuse: 53_003 }, 'scope', 'policy'],
    ['a refusal we do not know', {}, { refuse: 1_234_567 }, 'auth', 'AADSTS1234567'],
    ['an unknown tenant', { tenant_id: other }, {}, 'config', 'tenant'],
    ['an unknown application', { client_id: other }, {}, 'config', 'application'],
    ['an unknown subscription', { subscription_id: other }, {}, 'config', 'SubscriptionNotFound'],
    ['a missing role', {}, { hasRole: false }, 'scope', 'AuthorizationFailed'],
    ['a subscription of another directory', {}, { owner: other }, 'config', 'another directory'],
    ['a disabled subscription', {}, { state: 'Disabled' }, 'unsupported', 'disabled'],
  ])('reports %s', async (_, change, differs, code, word) => {
    const error = await refusal('azure', {
      values: { ...values, ...change },
      answer: fakeAzure({ ...known, ...differs }),
    });
    expect(error).toMatchObject({ code, message: expect.stringContaining(word), help: expect.stringMatching(/\.$/) });
    expect(`${error.message} ${error.help}`).not.toContain(values.client_secret);
  });

  it.each([
    [400, 'upstream'],
    [401, 'auth'],
  ])('goes by the status %i where a web page stands in place of a refusal', async (status, code) => {
    const answer = () => ({ status, body: '<html>proxy</html>' });
    expect(await refusal('azure', { values, answer })).toMatchObject({ code, help: expect.stringMatching(/\.$/) });
  });

  it('repeats nothing that a service sends in place of its code', async () => {
    const answer = () => ({ status: 401, json: { error: values.client_secret } });
    expect(String(await refusal('azure', { values, answer }))).not.toContain(values.client_secret);
  });
});
