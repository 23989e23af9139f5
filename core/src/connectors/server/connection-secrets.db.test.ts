import { type CredentialField, secretKeys } from '@breakwater/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUsers } from '../../../../tools/testing/users.ts';
import { type ConnectorScene, LOGGED_IN, startConnectorScene } from '../../testing/connectors/connector-scene.ts';
import { startFakeService } from '../../testing/connectors/fake-service.ts';
import { plausibleValues } from '../../testing/connectors/plausible-values.ts';

let scene: ConnectorScene;
beforeAll(async () => {
  scene = await startConnectorScene({ isWorking: true, replacesProviders: true });
});
afterAll(() => scene.close());

/** Every table with all it holds, as text. Ciphertext is bytes: a secret in clear would show in hexadecimal. */
const dump = async (): Promise<string> => {
  const tables = await scene.rows<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const client = await scene.server.scene.owner.connect();
    try {
      const { rows } = await client.query(`select t::text as line from ${name} t`);
      parts.push(...rows.map((row) => `${name} ${row.line}`));
    } finally {
      client.release();
    }
  }
  return parts.join('\n');
};

const formsOf = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

/** A canary in the form that the field asks for: plain, a key file, a JSON document. */
const dressed = (canary: string, field: CredentialField | undefined): string => {
  const pattern = field?.type === 'string' ? (field.pattern ?? '') : '';
  const forms = [
    canary,
    `-----BEGIN PRIVATE KEY-----\n${canary}\n-----END PRIVATE KEY-----`,
    JSON.stringify({
      type: 'service_account',
      private_key: canary,
      client_email: 'a@b.test',
      token_uri: 'https://b.test',
    }),
    // an address is itself the secret
    `https://hooks.slack.com/services/${canary}`,
    `https://b.logic.azure.com/workflows?sig=${canary}`,
  ];
  return forms.find((form) => new RegExp(pattern, 'u').test(form)) ?? canary;
};

test('thirty canary secrets and more, in every secret field of every entry of two organisations, are found nowhere', async () => {
  const answers: string[] = [];
  const canaries: string[] = [];
  const plant = (name: string): string => {
    canaries.push(`CANARYz${canaries.length}z${name.replaceAll(/[^a-z]/g, '')}z7f3k`);
    return canaries.at(-1) ?? '';
  };
  const keep = (answer: { body: unknown }): void => void answers.push(JSON.stringify(answer.body));
  const stored: number[] = [];
  // the service repeats what it was sent, as careless ones do
  scene.service.behave(({ headers, body }) => ({ status: 401, body: `refused ${headers.authorization} ${body}` }));
  const others = await createUsers(scene.server.scene.database, 'Canary Ltd');
  for (const as of ['admin', { token: others.admin.token }] as const) {
    for (const { connector } of scene.deps.catalogue.entries()) {
      const { credentials, id } = connector;
      const secrets = secretKeys(credentials);
      const values = Object.fromEntries(
        secrets.map((field) => [field, dressed(plant(`${id}${field}`), credentials.properties[field])]),
      );
      const plausible = plausibleValues(credentials, scene.service.url);
      const saved = await scene.save(id, { ...plausible, ...values }, as);
      if (saved.status === 200) stored.push(secrets.length);
      keep(saved);
      keep(await scene.save(id, { ...values, nobody: values[secrets[0] ?? ''] ?? 1 }, as));
      keep(await scene.call('POST', id, '/check', { as }));
      keep(await scene.call('GET', id, '', { as }));
      keep(await scene.call('GET', id, '/history', { as }));
    }
  }
  const planted = canaries.length;
  for (const mode of ['leak', 'reveal', 'crash']) {
    keep(await scene.save('probe', { base_url: scene.service.url, token: plant(mode), mode }));
    keep(await scene.call('GET', 'probe', '/history'));
  }
  scene.service.behave(() => ({ body: { login: scene.service.requests.at(-1)?.headers.authorization } }));
  keep(await scene.save('probe', { mode: 'plain' }));
  keep(await scene.server.call('GET', '/connectors', { as: 'admin' }));
  keep(await scene.server.call('GET', '/client', { as: 'admin' }));
  expect(answers.join('\n').length).toBeGreaterThan(10_000);
  const places = { answers: answers.join('\n'), logs: scene.server.logs.join(''), database: await dump() };
  for (const [place, text] of Object.entries(places)) {
    const found = canaries.filter((canary) => formsOf(canary).some((form) => text.includes(form)));
    expect(found, place).toEqual([]);
  }
  // else nothing was stored or sent, and this test shows nothing
  expect(stored.reduce((sum, count) => sum + count, 0)).toBe(planted);
  expect(planted).toBeGreaterThanOrEqual(30);
  expect(scene.service.requests.some(({ headers }) => headers.authorization?.includes('CANARY'))).toBe(true);
  expect(places.logs).toContain('has it');
});

test('a secret that its code reads is noted in the history, once a run', async () => {
  scene.service.behave(() => LOGGED_IN);
  await scene.call('DELETE', 'probe', '');
  await scene.connect({ mode: 'reveal' });
  expect(await scene.events('probe').then((events) => events.slice(-4))).toEqual([
    'CONFIGURE draft',
    'SUBMIT checking',
    'REVEAL checking',
    'OK connected',
  ]);
});

test('ciphertext moved to another client, connector or field does not open', async () => {
  await scene.connect({ hook_secret: 'hook-secret-1234' });
  const { clientId } = scene.server.users;
  const [other] = await scene.rows<{ id: string }>(
    `insert into clients (organization_name) values ('Other') returning id`,
  );
  const read = (client: string, connectorId: string, field: string): Promise<string | undefined> =>
    scene.deps.database.forClient(client, (db) => scene.deps.vault.read(db, { clientId: client, connectorId, field }));
  expect(await read(clientId, 'probe', 'token')).toBe('probe-token-1234');
  const copy = async (client: string, connector: string, field: string): Promise<void> => {
    await scene.rows('delete from vault where client_id = $1 and connector_id = $2 and field = $3', [
      client,
      connector,
      field,
    ]);
    await scene.rows(
      `insert into vault (client_id, connector_id, field, key_id, nonce, ciphertext, hint)
       select $1, $2, $3, key_id, nonce, ciphertext, hint from vault
       where client_id = $4 and connector_id = 'probe' and field = 'token'`,
      [client, connector, field, clientId],
    );
  };
  const places: [string, string, string][] = [
    [other!.id, 'probe', 'token'],
    [clientId, 'probe-oauth', 'token'],
    [clientId, 'probe', 'hook_secret'],
  ];
  for (const place of places) {
    await copy(...place);
    await expect(read(...place), place.join(' ')).rejects.toThrow();
  }
  expect(await read(clientId, 'probe', 'token')).toBe('probe-token-1234');
});

test('what does not open any more is said, and the server goes on', async () => {
  await scene.connect();
  await scene.rows(
    `update vault set ciphertext = '\\x00' || ciphertext where connector_id = 'probe' and field = 'token'`,
  );
  const { body } = await scene.call('POST', 'probe', '/check');
  expect(body.data.attributes.state).not.toBe('connected');
  expect(body.data.attributes.state).not.toBe('checking');
  expect((await scene.connect()).state).toBe('connected');
});

test('keys rotate under stored connections', async () => {
  await scene.connect();
  const { clientId } = scene.server.users;
  const rotated = await scene.deps.database.forClient(clientId, (db) => scene.deps.vault.rotate(db, clientId));
  expect(rotated).toBe(0);
  expect((await scene.call('POST', 'probe', '/check')).body.data.attributes.state).toBe('connected');
});

test('a token never follows a changed host', async () => {
  await scene.connect({ hook_secret: 'hook-secret-1234' });
  const elsewhere = await startFakeService(() => LOGGED_IN);
  const moved = await scene.save('probe', { base_url: elsewhere.url });
  expect(moved.status).toBe(200);
  expect(moved.body.data.attributes).toMatchObject({
    state: 'draft',
    is_configured: false,
    state_detail: {
      code: 'config',
      message: 'The host changed; enter again: Access token, Webhook secret.',
    },
    fields: { token: { set: false }, hook_secret: { set: false } },
  });
  // sent back empty, cleared and set in two steps, or taken along with another field: the old one is gone all the same
  await scene.save('probe', { token: '' });
  await scene.call('POST', 'probe', '/check');
  expect(elsewhere.requests).toEqual([]);
  const anew = await scene.save('probe', { token: 'token-for-elsewhere' });
  expect(anew.body.data.attributes.state).toBe('connected');
  expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-for-elsewhere']);
  await scene.save('probe', { base_url: null });
  await scene.save('probe', { base_url: scene.service.url });
  expect((await scene.attributes('probe')).fields.token.set).toBe(false);
  const both = await scene.save('probe', { base_url: elsewhere.url, token: 'given-with-the-host' });
  expect(both.body.data.attributes.state).toBe('connected');
  const path = await scene.save('probe', { base_url: `${elsewhere.url}/sub` });
  expect(path.body.data.attributes).toMatchObject({ state: 'connected', fields: { token: { set: true } } });
  await elsewhere.close();
});

test('code that was opened with the old host cannot read a secret of the new one', async () => {
  await scene.connect();
  const { clientId } = scene.server.users;
  const { runWithConnection } = await import('./runs/run-with-connection.ts');
  const waiting = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const elsewhere = await startFakeService(() => LOGGED_IN);
  const before = scene.service.requests.length;
  const use = runWithConnection(scene.deps, { clientId, connectorId: 'probe' }, async (ctx) => {
    opened.resolve();
    await waiting.promise;
    return ctx.http.json({ path: '/late' });
  });
  use.catch(() => undefined);
  await opened.promise;
  await scene.save('probe', { base_url: elsewhere.url, token: 'secret-of-the-new-host' });
  waiting.resolve();
  await expect(use).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(scene.service.requests.slice(before).filter(({ path }) => path === '/late')).toEqual([]);
  await elsewhere.close();
});

test('the memory of a connector holds at most 1 MiB, and nobody else can read it', async () => {
  await scene.call('DELETE', 'probe', '');
  await scene.connect();
  const { clientId } = scene.server.users;
  const { createConnectionStore } = await import('./connection/connection-store.ts');
  const store = createConnectionStore(scene.deps.database, { clientId, connectorId: 'probe' });
  const half = 'x'.repeat(600_000);
  await store.set('one', half);
  await expect(store.set('two', half)).rejects.toThrow('1 MiB');
  await store.set('one', { small: true });
  await store.set('two', half);
  expect(await store.get('one')).toEqual({ small: true });
  expect(await store.get('nothing')).toBeUndefined();
  const others = await scene.deps.database.forClient(
    '00000000-0000-7000-8000-000000000000',
    async (db) => (await sql`select 1 from connection_store`.execute(db)).rows,
  );
  expect(others).toEqual([]);
});
