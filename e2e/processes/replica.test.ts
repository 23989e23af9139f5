import { createDatabase, type DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import type { ReadPlace } from '@breakwater/core/platform/server/replica-reads.ts';
import { ensureAppLogin, withLoginOf } from '@breakwater/host-server/postgres/app-login.ts';
import { migrate } from '@breakwater/host-server/postgres/migrate.ts';
import { createAppPool, createReplicaPool } from '@breakwater/host-server/postgres/pool.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type OwnPostgres, startOwnPostgres } from '../harness/own-postgres.ts';

let primary: OwnPostgres;
let replica: OwnPostgres;
let clientId: string;
/** Where the reads of each of two processes ran. */
const places: ReadPlace[] = [];
const processes: DatabaseHandle[] = [];

const openProcess = async (replicaUrl: string): Promise<DatabaseHandle> => {
  const { url } = await ensureAppLogin(primary.url('breakwater'));
  const onRead = (place: ReadPlace): void => void places.push(place);
  const pool = createReplicaPool(withLoginOf(replicaUrl, url), 4);
  return createDatabase(createAppPool(url, 4), { pool, onRead });
};

beforeAll(async () => {
  primary = await startOwnPostgres({ isDurable: true });
  await migrate(primary.url('breakwater'));
  const rows = await primary.query(`insert into clients (organization_name) values ('0') returning id`);
  clientId = String(rows[0]?.['id']);
  replica = await primary.startReplica();
  for (let n = 0; n < 2; n += 1) processes.push(await openProcess(replica.url('breakwater')));
});
afterAll(async () => {
  for (const database of processes) await database.close();
  await replica?.stop();
  await primary?.stop();
});
beforeEach(() => void places.splice(0));

const nameIn = (database: DatabaseHandle): Promise<string | undefined> =>
  database.readClient(clientId, async (db) => {
    const { rows } = await sql<{ name: string }>`select organization_name as name from clients`.execute(db);
    return rows[0]?.name;
  });

const rename = (database: DatabaseHandle, name: string): Promise<unknown> =>
  database.forClient(clientId, (db) => sql`update clients set organization_name = ${name}`.execute(db));

const setReplay = (state: 'pause' | 'resume'): Promise<unknown> => replica.query(`select pg_wal_replay_${state}()`);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Until reads run on the replica, and no longer rest from it. */
const untilReplicaReads = () =>
  expect
    .poll(async () => {
      await nameIn(processes[0]!);
      return places.at(-1);
    })
    .toBe('replica');

test('a read runs on the replica where it has everything, limited to the client as on the primary', async () => {
  await untilReplicaReads();
  const [read, owner] = [processes[0]!, await primary.query('select count(*)::int as n from clients')];
  expect(owner).toEqual([{ n: 1 }]);
  const other = await read.readClient('00000000-0000-7000-8000-000000000000', async (db) => {
    const { rows } = await sql`select current_user, pg_is_in_recovery() as here, id from clients`.execute(db);
    return rows;
  });
  expect(other).toEqual([]);
});

test('while nothing is replayed, who wrote and everybody else read what was written', async () => {
  await setReplay('pause');
  for (const [n, writer] of processes.entries()) {
    await rename(writer, `paused ${n}`);
    for (const reader of processes) expect(await nameIn(reader)).toBe(`paused ${n}`);
  }
  expect(places).not.toContain('replica');
  expect(places).toContain('behind');
  await setReplay('resume');
  await untilReplicaReads();
  expect(await nameIn(processes[1]!)).toBe('paused 1');
});

test('no read after a write is stale, whoever wrote and whatever the replica does', async () => {
  const which = fc.constantFrom(0, 1);
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), which }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('read' as const), which }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('replay' as const), state: fc.constantFrom('pause', 'resume') }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 30 }) }) },
  );
  let expected = await nameIn(processes[0]!);
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await setReplay('resume');
      for (const one of steps) {
        if (one.kind === 'replay') await setReplay(one.state === 'pause' ? 'pause' : 'resume');
        else if (one.kind === 'wait') await pause(one.ms);
        else if (one.kind === 'read') expect(await nameIn(processes[one.which]!)).toBe(expected);
        else {
          count += 1;
          expected = `write ${count}`;
          await rename(processes[one.which]!, expected);
        }
      }
    }),
    { endOnFailure: true },
  );
  await setReplay('resume');
  await untilReplicaReads();
  expect(new Set(places)).toEqual(new Set(['replica', 'behind']));
});

test('work that writes after all is done by the primary, and a replica that is away is not missed', async () => {
  await untilReplicaReads();
  const written = await processes[0]!.readClient(clientId, async (db) => {
    await sql`update clients set organization_name = 'written'`.execute(db);
    return 'done';
  });
  expect(written).toBe('done');
  expect(places.at(-1)).toBe('refused');
  const lonely = await openProcess('postgresql://breakwater@127.0.0.1:1/breakwater');
  try {
    for (let n = 0; n < 3; n += 1) expect(await nameIn(lonely)).toBe('written');
    expect(places).toContain('away');
  } finally {
    await lonely.close();
  }
});

test('a server that does not replicate, or was promoted, is never read from', async () => {
  const other = await openProcess(primary.url('breakwater'));
  await replica.query('select pg_promote(false)');
  await expect.poll(() => replica.query('select pg_is_in_recovery() as here')).toEqual([{ here: false }]);
  places.splice(0);
  try {
    await rename(processes[0]!, 'after the promotion');
    for (const reader of [other, ...processes]) expect(await nameIn(reader)).toBe('after the promotion');
    expect(places).not.toContain('replica');
  } finally {
    await other.close();
  }
});
