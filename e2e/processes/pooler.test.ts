import { loginAtPooler, requireSessions } from '@breakwater/host-server/postgres/pooler.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, addRepository, apiClient, setUp } from '../harness/api.ts';
import { ask, type OwnPostgres, startOwnPostgres } from '../harness/own-postgres.ts';
import { type PgBouncer, type PgBouncerOptions, startPgBouncer } from '../harness/pgbouncer.ts';
import { generatedReport } from '../harness/reports.ts';
import { startServer } from '../harness/server.ts';
import { addNeighbour, listenFor, withProcesses } from '../harness/several-processes.ts';

const POOL_SIZE = 4;
const FINDINGS = 300;
const LOGIN = 'breakwater_login_breakwater';

let postgres: OwnPostgres;
beforeAll(async () => {
  postgres = await startOwnPostgres();
});
afterAll(() => postgres.stop());

const withBouncer = async (
  options: Partial<PgBouncerOptions>,
  work: (bouncer: PgBouncer) => Promise<void>,
): Promise<void> => {
  const defaults = { mode: 'transaction', poolSize: POOL_SIZE, users: ['breakwater', LOGIN] } as const;
  const bouncer = await startPgBouncer({ server: postgres.sockets, ...defaults, ...options });
  try {
    await work(bouncer);
  } finally {
    await bouncer.stop();
  }
};

const totalOf = async (api: ApiClient): Promise<number> => {
  const { status, body } = await api.get('/findings');
  expect(status, JSON.stringify(body)).toBe(200);
  return body.meta.pagination.total;
};

test('requests go through PgBouncer in transaction mode with four connections, and nothing leans on a session', async () => {
  await withBouncer({}, async (bouncer) => {
    const addresses = { DATABASE_URL: bouncer.url('breakwater'), DATABASE_DIRECT_URL: postgres.url('breakwater') };
    await withProcesses(addresses, async (first, second) => {
      const admin = await setUp(first);
      const elsewhere = apiClient(second, admin.token);
      const heard = await listenFor(second, admin);
      const repository = await addRepository(admin, 'shop');
      const upload = await admin.upload(repository, 'report.json', generatedReport(FINDINGS));
      expect(upload.body.data).toMatchObject({ status: 'done', counts: { total: FINDINGS, new: FINDINGS } });
      await heard(upload.body.data.scan_id);

      // many at once over few connections, of two organisations: each sees its own
      const neighbour = await addNeighbour(second, postgres);
      const callers = Array.from({ length: 60 }, (_, n) => [admin, elsewhere, neighbour][n % 3]!);
      const totals = await Promise.all(callers.map(totalOf));
      expect(totals).toEqual(callers.map((caller) => (caller === neighbour ? 0 : FINDINGS)));

      const { body } = await admin.get('/findings');
      const changes = body.data.map(({ _id }: { _id: string }) =>
        elsewhere.call('PUT', `/findings/${_id}`, { verdict: { value: 'false_positive' } }),
      );
      for (const { status } of await Promise.all(changes)) expect(status).toBe(200);
      const closed = await postgres.query(`select count(*)::int as n from findings where verdict = 'false_positive'`);
      expect(closed).toEqual([{ n: changes.length }]);

      const used = await postgres.query(
        `select usename, count(*)::int as n from pg_stat_activity where application_name = 'breakwater' group by 1`,
      );
      expect(used).toEqual([{ usename: LOGIN, n: expect.any(Number) }]);
      expect(await bouncer.countServers()).toBeLessThanOrEqual(2 * POOL_SIZE);
      const left = await ask(
        bouncer.url('breakwater', LOGIN),
        `select current_user, current_setting('app.client_id', true) as client, current_setting('app.identity', true) as identity`,
      );
      expect(left).toEqual([{ current_user: LOGIN, client: '', identity: '' }]);
    });
  });
});

test('a pooler that keeps no session is refused where it stands alone', async () => {
  await withBouncer({}, async (bouncer) => {
    const starting = startServer({ environment: { DATABASE_URL: bouncer.url('breakwater') } });
    await expect(starting).rejects.toThrow(
      /DATABASE_URL names a pooler.*Name the server itself in DATABASE_DIRECT_URL/,
    );
  });
});

test('it is known also where it drops what it does not understand', async () => {
  await withBouncer({ settings: { ignore_startup_parameters: 'options' } }, async (bouncer) => {
    await expect(requireSessions(bouncer.url('breakwater'), 'DATABASE_DIRECT_URL')).rejects.toThrow(
      'DATABASE_DIRECT_URL names a pooler',
    );
  });
  await expect(requireSessions(postgres.url('breakwater'), 'DATABASE_URL')).resolves.toBeUndefined();
});

test('a pooler that does not know the login of the application is used as the user of DATABASE_URL, and only where it leads to the same database', async () => {
  await withBouncer({ users: ['breakwater'] }, async (bouncer) => {
    const addresses = {
      ownerUrl: postgres.url('breakwater'),
      appUrl: postgres.url('breakwater').replace('breakwater@', `${LOGIN}@`),
    };
    expect(await loginAtPooler(bouncer.url('breakwater'), addresses)).toEqual({
      url: bouncer.url('breakwater'),
      reason: expect.stringContaining('authentication failed'),
    });
    await expect(loginAtPooler(bouncer.url('postgres'), addresses)).rejects.toThrow('different databases');
  });
});
