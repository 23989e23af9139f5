import { createVerdictEndpoints } from '@breakwater/core/findings/server/index.ts';
import { createDatabase, type DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import { createAppPool } from '@breakwater/host-server/postgres/pool.ts';
import pg from 'pg';
import { withOwnDatabase } from './own-database.ts';
import { seedFindings } from './seed.ts';

const FINDINGS = Number(process.argv[2] ?? 200_000);
const ROUNDS = 30;
const MANY = 1000;
const WARM_UPS = 6;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const quantiles = (times: number[]): { p50: number; p95: number } => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2));
  return { p50: at(0.5), p95: at(0.95) };
};

/** Milliseconds that PostgreSQL spends on the statement with its triggers, as the application's role. */
const inDatabase = async (connection: pg.ClientBase, clientId: string, ids: string[], verdict: string) => {
  await connection.query('begin');
  await connection.query('set local role breakwater_app');
  await connection.query("select set_config('app.client_id', $1, true)", [clientId]);
  const { rows } = await connection.query(
    `explain (analyze, format json) update findings f set verdict = $3
     from unnest($2::uuid[]) w (id) where f.client_id = $1 and f.id = w.id`,
    [clientId, ids, verdict],
  );
  await connection.query('commit');
  const plan = Object(rows[0])['QUERY PLAN'][0];
  return Number(plan['Execution Time']) + Number(plan['Planning Time']);
};

/** Milliseconds of the endpoint with its transaction: locks, history, the statement above, the answer. */
const byEndpoint = async (database: DatabaseHandle, clientId: string, ids: string[], value: string) => {
  const jobs = { enqueue: async () => undefined, send: async () => undefined };
  const endpoint = createVerdictEndpoints(jobs).find(({ route }) => route.path === '/findings/bulk');
  if (endpoint === undefined) throw new Error('There is no route /findings/bulk');
  const caller = { clientId, userId: clientId, role: 'admin' };
  const started = performance.now();
  await database.forClient(clientId, async (db) =>
    endpoint.handle({
      db,
      caller,
      params: {},
      query: {},
      body: { ids, change: { verdict: { value } } },
      reply: { status: () => undefined },
      audit: () => undefined,
    }),
  );
  return performance.now() - started;
};

const run = async (owner: pg.Client, url: string): Promise<void> => {
  const { clientId } = await seedFindings(owner, { findings: FINDINGS });
  const { rows } = await owner.query<{ id: string }>(
    `select id from findings where client_id = $1 and status = 'enriched' order by md5(id::text) limit $2`,
    [clientId, MANY],
  );
  const ids = rows.map(({ id }) => id);
  const database = createDatabase(createAppPool(url));
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  const measure = async (count: number, act: (ids: string[], verdict: string) => Promise<number>) => {
    const times: number[] = [];
    const rounds = count === 1 ? ROUNDS : 8;
    for (let round = 0; round < WARM_UPS + rounds; round += 1) {
      const chosen = count === 1 ? [ids[round] ?? ''] : ids;
      // each verdict is another than the one before, so that every row changes
      const verdict = count === 1 || round % 2 === 0 ? 'false_positive' : 'valid';
      const ms = await act(chosen, verdict);
      if (round >= WARM_UPS) times.push(ms);
    }
    return quantiles(times);
  };
  const results: Record<string, { p50: number; p95: number }> = {};
  for (const count of [1, MANY]) {
    results[`${count} in the database`] = await measure(count, (some, verdict) =>
      inDatabase(connection, clientId, some, verdict),
    );
    await owner.query(`update findings set verdict = 'none' where client_id = $1 and id = any($2::uuid[])`, [
      clientId,
      ids,
    ]);
    results[`${count} by the endpoint`] = await measure(count, (some, verdict) =>
      byEndpoint(database, clientId, some, verdict),
    );
    await owner.query(`update findings set verdict = 'none' where client_id = $1 and id = any($2::uuid[])`, [
      clientId,
      ids,
    ]);
  }
  await connection.end();
  await database.close();
  print(`${'milliseconds'.padEnd(24)}${'p50'.padStart(10)}${'p95'.padStart(10)}`);
  for (const [name, { p50, p95 }] of Object.entries(results))
    print(`${name.padEnd(24)}${String(p50).padStart(10)}${String(p95).padStart(10)}`);
  print(JSON.stringify({ bench: 'verdicts', findings: FINDINGS, ms: results }));
};

await withOwnDatabase(run);
