import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectorScene, LOGGED_IN, startConnectorScene } from '../../../testing/connectors/connector-scene.ts';
import type { ConnectionsDeps } from '../connection/deps.ts';
import { enqueueDueConnections, runDue, upgradeStoredConnections } from './connection-jobs.ts';
import { runWithConnection } from './run-with-connection.ts';

const CHILD = path.join(import.meta.dirname, '../../../testing/processes/check-child.ts');

let scene: ConnectorScene;
let connectionKey: { clientId: string; connectorId: string };
beforeAll(async () => {
  scene = await startConnectorScene({ isRegistered: true });
  connectionKey = { clientId: scene.server.users.clientId, connectorId: 'probe' };
});
afterAll(() => scene.close());
afterEach(async () => {
  scene.service.behave(() => LOGGED_IN);
  await scene.rows(`update connections set health = 'sound', crashes = '{}', run_until = now() - interval '1 s'`);
  await runDue(scene.deps, connectionKey);
  for (const connector of ['probe', 'probe-oauth']) await scene.call('DELETE', connector, '');
});

/** The database is told that time has passed. */
const past = (column: 'retry_at' | 'run_until' | 'last_check_at', ago: string): Promise<unknown> =>
  scene.rows(
    `update connections set ${column} = now() - $1::interval where client_id = $2 and connector_id = 'probe'`,
    [ago, connectionKey.clientId],
  );
const state = async (): Promise<string> => (await scene.attributes('probe')).state;

/** Polls as one process does it, and runs what is enqueued. @returns the names of the jobs. */
const poll = async (): Promise<string[]> => {
  const enqueued: { name: string; connectionKey: typeof connectionKey }[] = [];
  const enqueue: ConnectionsDeps['jobs']['enqueue'] = async (_db, { name }, data) => {
    enqueued.push({ name, connectionKey: data as typeof connectionKey });
    return 'job';
  };
  const deps = { ...scene.deps, jobs: { enqueue } };
  await enqueueDueConnections(deps);
  for (const { connectionKey: due } of [...enqueued]) await runDue(deps, due);
  return enqueued.map(({ name }) => name);
};

describe('time', () => {
  test('a retry comes when it is due and not before; a service that stays away is given up', async () => {
    scene.service.behave(() => ({ status: 503 }));
    expect((await scene.connect()).state).toBe('retrying');
    expect(await poll()).toEqual([]);
    await past('retry_at', '1 second');
    const before = scene.service.requests.length;
    expect(await poll()).toHaveLength(1);
    expect(scene.service.requests.length).toBeGreaterThan(before);
    expect(await state()).toBe('retrying');
    expect((await scene.events('probe')).slice(-2)).toEqual(['BACKOFF checking', 'FAIL retrying']);
    const [row] = await scene.rows<{ attempts: number }>(
      `select attempts from connections where connector_id = 'probe'`,
    );
    expect(row?.attempts).toBe(2);
    await scene.rows(`update connections set attempts = 99 where connector_id = 'probe'`);
    await past('retry_at', '1 second');
    await poll();
    expect(await state()).toBe('failed');
    scene.service.behave(() => LOGGED_IN);
    expect((await scene.call('POST', 'probe', '/check')).body.data.attributes.state).toBe('connected');
  });

  test('a pause ends by itself', async () => {
    scene.service.behave(() => ({ status: 429, headers: { 'retry-after': '60' } }));
    expect((await scene.connect()).state).toBe('paused');
    scene.service.behave(() => LOGGED_IN);
    await past('retry_at', '1 second');
    await poll();
    expect(await state()).toBe('connected');
    expect((await scene.events('probe')).slice(-2)).toEqual(['TIMER checking', 'OK connected']);
  });

  test('what is connected is asked again after six hours', async () => {
    await scene.connect();
    expect(await poll()).toEqual([]);
    await past('last_check_at', '7 hours');
    scene.service.behave(() => ({ status: 401 }));
    await poll();
    expect(await state()).toBe('needsAuth');
  });

  test('while a switch is off nothing that is due begins', async () => {
    scene.service.behave(() => ({ status: 503 }));
    await scene.connect();
    await scene.call('PUT', 'probe', '/enabled', { body: { enabled: false, reason: 'holiday' } });
    await past('retry_at', '1 second');
    const before = scene.service.requests.length;
    expect(await poll()).toEqual([]);
    await runDue(scene.deps, connectionKey);
    expect(scene.service.requests.length).toBe(before);
    expect(await state()).toBe('retrying');
    await scene.call('PUT', 'probe', '/enabled', { body: { enabled: true } });
    scene.service.behave(() => LOGGED_IN);
    await poll();
    expect(await state()).toBe('connected');
  });
});

describe('processes', () => {
  test('four at once do the same check once', async () => {
    scene.service.behave(() => ({ status: 503 }));
    await scene.connect();
    await past('retry_at', '1 second');
    scene.service.behave(() => LOGGED_IN);
    const before = scene.service.requests.length;
    // all have come to the row before the first may go on
    const holder = await scene.server.scene.owner.connect();
    await holder.query('begin');
    await holder.query(`select 1 from connections where connector_id = 'probe' for update`);
    const work = [1, 2, 3, 4].map(() => runDue(scene.deps, connectionKey));
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await scene.rows(waiting)).length, { timeout: 120_000 }).toBe(4);
    await holder.query('commit');
    holder.release();
    await Promise.all(work);
    expect(scene.service.requests.length - before).toBe(1);
    expect(await state()).toBe('connected');
  });

  test('kill -9 in the middle of a check: the poller takes it up', async () => {
    const asked = Promise.withResolvers<void>();
    await scene.connect();
    scene.service.behave(() => {
      asked.resolve();
      return { ...LOGGED_IN, waitMs: 5_000 };
    });
    await past('last_check_at', '7 hours');
    const child = spawn(
      process.execPath,
      [CHILD, scene.server.scene.url, connectionKey.clientId, connectionKey.connectorId, scene.secretKey],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    const gone = once(child, 'exit');
    await asked.promise;
    expect(await state()).toBe('checking');
    child.kill('SIGKILL');
    await gone;
    scene.service.behave(() => LOGGED_IN);
    // its lease has not run out: somebody may still be at work
    expect(await poll()).toEqual([]);
    expect(await state()).toBe('checking');
    await past('run_until', '1 second');
    expect(await poll()).toHaveLength(1);
    expect(await state()).toBe('connected');
  });

  test('a server that stops in the middle of a check hands it back and blames nobody', async () => {
    await scene.connect();
    await past('last_check_at', '7 hours');
    const stopping = new AbortController();
    scene.service.behave(() => {
      stopping.abort();
      return { ...LOGGED_IN, waitMs: 2_000 };
    });
    await runDue(scene.deps, connectionKey, stopping.signal);
    expect(await scene.attributes('probe')).toMatchObject({ state: 'checking', state_detail: { code: null } });
    scene.service.behave(() => LOGGED_IN);
    await poll();
    expect(await state()).toBe('connected');
    const [row] = await scene.rows(`select crashes from connections where connector_id = 'probe'`);
    expect(row).toEqual({ crashes: [] });
  });

  test('a result that comes after the connection was taken away is dropped', async () => {
    await scene.connect();
    const answer = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    scene.service.behave(async () => {
      asked.resolve();
      await answer.promise;
      return LOGGED_IN;
    });
    const slow = scene.call('POST', 'probe', '/check');
    await asked.promise;
    expect((await scene.save('probe', { team: 1 })).body.code).toBe('conflict');
    expect((await scene.call('DELETE', 'probe', '')).status).toBe(200);
    answer.resolve();
    await slow;
    expect(await scene.attributes('probe')).toMatchObject({ state: 'absent', state_detail: { identity: null } });
  });

  test('a result that comes after another process took the check is dropped', async () => {
    await scene.connect();
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let asked = 0;
    scene.service.behave(async () => {
      asked += 1;
      const isFirst = asked === 1;
      await answers[isFirst ? 0 : 1]?.promise;
      return isFirst ? LOGGED_IN : { status: 401 };
    });
    const first = scene.call('POST', 'probe', '/check');
    await expect.poll(() => asked).toBe(1);
    await past('run_until', '1 second');
    const second = runDue(scene.deps, connectionKey);
    await expect.poll(() => asked).toBe(2);
    answers[0]?.resolve();
    expect((await first).body.data.attributes.state).toBe('checking');
    answers[1]?.resolve();
    await second;
    expect(await state()).toBe('needsAuth');
  });

  test('a removal that was cut short is finished', async () => {
    await scene.connect();
    await scene.rows(`update connections set state = 'removing', run_until = now() - interval '1 second'`);
    await poll();
    expect(await state()).toBe('absent');
    expect(await scene.rows(`select 1 from vault where connector_id = 'probe'`)).toEqual([]);
  });

  test('a sync whose process died is enqueued again; while a switch is off it ends instead', async () => {
    await scene.connect();
    const cut = () =>
      scene.rows(
        `update connections set state = 'syncing', run_until = now() - interval '1 second' where connector_id = 'probe'`,
      );
    await cut();
    expect(await poll()).toEqual(['connections.run', 'connections.sync']);
    expect(await state()).toBe('syncing');
    await scene.rows(`update connections set state = 'connected' where connector_id = 'probe'`);
    await scene.call('PUT', 'probe', '/enabled', { body: { enabled: false } });
    await cut();
    expect(await poll()).toEqual(['connections.run']);
    expect(await state()).toBe('retrying');
    await scene.call('PUT', 'probe', '/enabled', { body: { enabled: true } });
  });
});

describe('crashes', () => {
  test('three in ten minutes end in quarantine, until an admin releases it', async () => {
    for (const expected of ['open', 'open', 'quarantined']) {
      const crashed = await scene.connect({ mode: 'crash' });
      expect(crashed.gate.state).toBe(expected);
    }
    const held = await scene.attributes('probe');
    expect(held).toMatchObject({ enabled: false, state: 'retrying', gate: { state: 'quarantined', by: null } });
    expect(held.gate.at).not.toBeNull();
    const refused = await scene.call('POST', 'probe', '/check');
    expect(refused.body).toMatchObject({ code: 'conflict' });
    expect(refused.body.detail).toContain('quarantine');
    const before = scene.service.requests.length;
    expect((await scene.save('probe', { mode: 'plain' })).body.data.attributes).toMatchObject({ state: 'draft' });
    expect(scene.service.requests.length).toBe(before);
    const released = await scene.call('POST', 'probe', '/release');
    expect(released.body.data.attributes.gate.state).toBe('open');
    expect((await scene.call('POST', 'probe', '/release')).body.code).toBe('conflict');
    expect((await scene.call('POST', 'probe', '/check')).body.data.attributes.state).toBe('connected');
    expect(await scene.events('probe')).toEqual(expect.arrayContaining(['CRASHES checking', 'RELEASE draft']));
  });

  test('crashes that lie apart are no reason', async () => {
    await scene.connect({ mode: 'crash' });
    await scene.connect({ mode: 'crash' });
    await scene.rows(
      `update connections set crashes = array[now() - interval '11 minutes', now() - interval '11 minutes']`,
    );
    expect((await scene.connect({ mode: 'crash' })).gate.state).toBe('open');
  });

  test('a check that ends its process three times is not run a fourth time', async () => {
    await scene.connect();
    await past('last_check_at', '7 hours');
    await runDue(scene.deps, connectionKey);
    for (let time = 0; time < 3; time += 1) {
      await scene.rows(`update connections set state = 'checking', run_id = new_id(),
        run_until = now() - interval '1 second'`);
      scene.service.behave(() => LOGGED_IN);
      await runDue(scene.deps, connectionKey);
    }
    expect(await scene.attributes('probe')).toMatchObject({ gate: { state: 'quarantined' }, state: 'retrying' });
  });
});

describe('tokens that end', () => {
  /** A provider that takes one access token at a time, and each refresh token once. */
  const provider = (options: { refuses?: boolean } = {}) => {
    let valid = 'access-1';
    let renewals = 0;
    scene.service.behave(async ({ path: address, headers, body }) => {
      if (address === '/revoke') return { body: {} };
      if (address === '/token') {
        const given = new URLSearchParams(body).get('refresh_token');
        renewals += 1;
        if (options.refuses === true || given !== `refresh-${renewals}`) {
          return { status: 400, body: { error: 'invalid_grant' } };
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
        valid = `access-${renewals + 1}`;
        return { body: { access_token: valid, refresh_token: `refresh-${renewals + 1}`, expires_in: 3600 } };
      }
      return headers.authorization === `Bearer ${valid}` ? LOGGED_IN : { status: 401 };
    });
    return {
      renewals: () => renewals,
      expire: () => {
        valid = 'nobody knows yet';
      },
    };
  };
  const oauthKey = () => ({ ...connectionKey, connectorId: 'probe-oauth' });
  const connectOAuth = async () =>
    (
      await scene.save('probe-oauth', {
        base_url: scene.service.url,
        oauth_token: 'access-1',
        refresh_token: 'refresh-1',
      })
    ).body.data.attributes;

  test('twenty refused at once are renewed once, over two processes', async () => {
    const { renewals, expire } = provider();
    expect((await connectOAuth()).state).toBe('connected');
    expire();
    // a handle of its own on the database: what one process knows, the other does not
    const other = { ...scene.deps, database: { ...scene.deps.database } };
    const ask = (deps: ConnectionsDeps) => runWithConnection(deps, oauthKey(), (ctx) => ctx.http.json({ path: '/me' }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(index % 2 === 0 ? scene.deps : other)),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, () => LOGGED_IN.body));
    expect(renewals()).toBe(1);
    const read = (field: string) =>
      scene.deps.database.forClient(connectionKey.clientId, (db) =>
        scene.deps.vault.read(db, { ...oauthKey(), field }),
      );
    expect([await read('oauth_token'), await read('refresh_token')]).toEqual(['access-2', 'refresh-2']);
    const asked = scene.service.requests.findLast(({ path: address }) => address === '/token');
    const sent = new URLSearchParams(asked?.body);
    expect([sent.get('client_id'), sent.get('client_secret')]).toEqual(['breakwater', 'registered-secret']);
  });

  test('a refresh that is refused asks the person', async () => {
    const { expire } = provider({ refuses: true });
    await connectOAuth();
    expire();
    const { body } = await scene.call('POST', 'probe-oauth', '/check');
    expect(body.data.attributes).toMatchObject({ state: 'needsAuth', state_detail: { code: 'auth' } });
  });

  test('removing notifies the provider', async () => {
    provider();
    await connectOAuth();
    await scene.call('DELETE', 'probe-oauth', '');
    const revoked = scene.service.requests.findLast(({ path: address }) => address === '/revoke');
    expect(new URLSearchParams(revoked?.body).get('token')).toBe('access-1');
  });
});

describe('versions', () => {
  test('fields of an older version are brought to this one, once', async () => {
    await scene.connect({ team: 5 });
    const { database, vault } = scene.deps;
    await database.forClient(connectionKey.clientId, async (db) => {
      await vault.put(db, { ...connectionKey, field: 'api_key' }, 'old-token-12345');
      await vault.remove(db, { ...connectionKey, field: 'token' });
    });
    await scene.rows(
      `update connections set plugin_version = '1.0.0', last_check_at = now() - interval '7 hours',
         config = jsonb_build_object('host', config->'base_url', 'team', 5) where connector_id = 'probe'`,
    );
    await Promise.all([
      upgradeStoredConnections(scene.deps),
      runDue(scene.deps, connectionKey),
      runDue(scene.deps, connectionKey),
    ]);
    const moved = await scene.attributes('probe');
    expect(moved).toMatchObject({
      state: 'connected',
      fields: {
        token: { set: true, hint: '2345' },
        team: { value: 5 },
        note: { value: 'moved' },
        base_url: { value: scene.service.url },
      },
    });
    expect(scene.service.requests.at(-1)?.headers.authorization).toBe('Bearer old-token-12345');
    expect(await scene.rows(`select field from vault where connector_id = 'probe'`)).toEqual([{ field: 'token' }]);
    const upgrades = (await scene.events('probe')).filter((event) => event.startsWith('UPGRADE'));
    expect(upgrades).toHaveLength(1);
    await scene.rows(`update connections set plugin_version = '9.0.0' where connector_id = 'probe'`);
    expect((await scene.call('POST', 'probe', '/check')).body.data.attributes.state).toBe('connected');
    expect((await scene.events('probe')).filter((event) => event.startsWith('UPGRADE'))).toHaveLength(1);
  });
});
