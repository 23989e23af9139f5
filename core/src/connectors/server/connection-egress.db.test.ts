import { type CredentialField, type CredentialSchema, secretKeys } from '@breakwater/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConnectorScene, startConnectorScene } from '../../testing/connectors/connector-scene.ts';
import { type FakeService, startFakeService } from '../../testing/connectors/fake-service.ts';
import { isAddress, plausibleValues } from '../../testing/connectors/plausible-values.ts';

let scene: ConnectorScene;
let inside: FakeService;
beforeAll(async () => {
  // what a connector must never reach: a service on this machine, while private hosts are not allowed
  inside = await startFakeService(() => ({ body: { login: 'from the inside' } }));
  scene = await startConnectorScene({ environment: { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'false' } });
});
afterAll(async () => {
  await scene.close();
  await inside.close();
});

const HOSTS = [
  '127.0.0.1',
  '127.0.0.2',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '0',
  '0.0.0.0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'sub.localhost',
  'localhost.localdomain',
  'ip6-localhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127.0.0.1.',
  '169.254.169.254',
  '[::ffff:169.254.169.254]',
  '100.100.100.200',
  'metadata.google.internal',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  'user@127.0.0.1',
  'example.com@127.0.0.1',
  '127.0.0.1%2f',
  '127.0.0.1#',
];

/** What a person could enter for a field that takes an address. */
const spellings = (field: CredentialField | undefined, host: string, port: number): string[] =>
  field?.type === 'string' && field.format === 'uri'
    ? [`http://${host}:${port}`, `https://${host}:${port}`, host]
    : [host, `${host}:${port}`, `http://${host}:${port}`];

const addressFields = ({ properties }: CredentialSchema): string[] =>
  Object.entries(properties)
    .filter(([name, field]) => isAddress(name, field) && !/^(port|protocol|scheme)$/.test(name))
    .map(([name]) => name);

test('no spelling of an inner address in any host setting of any entry reaches it', async () => {
  const entries = scene.deps.catalogue
    .entries()
    .filter(({ connector }) => addressFields(connector.credentials).length > 0);
  let tried = 0;
  let stored = 0;
  for (const { connector } of entries) {
    const { credentials, id } = connector;
    const secrets = Object.fromEntries(secretKeys(credentials).map((field) => [field, 'abcdef123456']));
    for (const field of addressFields(credentials)) {
      for (const value of HOSTS.flatMap((host) => spellings(credentials.properties[field], host, inside.port))) {
        // once in the form that its own pattern accepts is enough; the others are refused at the door
        const answer = await scene.save(id, {
          ...plausibleValues(credentials, inside.url),
          ...secrets,
          [field]: value,
        });
        tried += 1;
        if (answer.status === 422) continue;
        stored += 1;
        expect(answer.status, `${id} ${field} ${value}`).toBe(200);
        expect(answer.body.data.attributes.state_detail.identity, `${id} ${field} ${value}`).toBeNull();
        expect(JSON.stringify(answer.body)).not.toContain('from the inside');
      }
    }
  }
  expect(inside.requests).toEqual([]);
  expect(entries.length).toBeGreaterThan(3);
  expect(tried).toBeGreaterThan(HOSTS.length * entries.length);
  expect(stored).toBeGreaterThan(HOSTS.length);
});

test('the refusal says what to do, beside the form', async () => {
  const { body } = await scene.save('probe', { base_url: inside.url, token: 'abcdef123456' });
  expect(body.data.attributes).toMatchObject({ state: 'draft', state_detail: { code: 'config' } });
  expect(body.data.attributes.state_detail.message).toMatch(/private|public/);
  expect(body.data.attributes.state_detail.help).toMatch(/operator|public/);
});

test("the operator's own address for a provider is reached, and its redirects are judged anew", async () => {
  const ours = await startFakeService(() => ({ body: { login: 'octocat' } }));
  const own = await startConnectorScene({
    environment: { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'false', PROBE_BASE_URL: ours.url },
  });
  const values = { base_url: 'https://probe.example.com', token: 'abcdef123456' };
  expect((await own.save('probe', values)).body.data.attributes).toMatchObject({ state: 'connected' });
  expect(ours.requests[0]?.headers.authorization).toBe('Bearer abcdef123456');
  for (const status of [301, 302, 303, 307, 308]) {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '[::ffff:127.0.0.1]']) {
      ours.behave(() => ({ status, headers: { location: `http://${host}:${inside.port}/me` } }));
      const { body } = await own.call('POST', 'probe', '/check');
      const again = body.code === 'conflict' ? await own.save('probe', {}) : { body };
      expect(again.body.data.attributes.state, `${status} ${host}`).not.toBe('connected');
    }
  }
  expect(inside.requests).toEqual([]);
  await own.close();
  await ours.close();
});

test('a private host that the operator named for one connector is no way in for another', async () => {
  const own = await startConnectorScene({
    environment: { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'false', GITHUB_BASE_URL: inside.url },
  });
  const { body } = await own.save('probe', { base_url: inside.url, token: 'abcdef123456' });
  expect(body.data.attributes).toMatchObject({ state: 'draft', state_detail: { code: 'config' } });
  expect(inside.requests).toEqual([]);
  await own.close();
});
