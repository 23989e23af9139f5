import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../tools/testing/database.ts';
import type { Db } from '../database.ts';
import { defineJob } from './define-job.ts';
import { defineJobState, enqueueDueJobs, enqueueDueOf } from './job-state.ts';

let it: TestDatabase;
let clientId = '';
let other = '';
const newClient = async (name: string): Promise<string> => {
  const { rows } = await it.owner.query<{ id: string }>(
    'insert into clients (organization_name) values ($1) returning id',
    [name],
  );
  return rows[0]?.id ?? '';
};
beforeAll(async () => {
  it = await createTestDatabase();
  clientId = await newClient('Harbour Works');
  other = await newClient('Lighthouse Ltd');
});
afterAll(() => it.drop());
beforeEach(async () => {
  await it.owner.query('delete from job_state');
});

const checks = defineJobState(
  'checks',
  Type.Object({
    after: Type.Integer({ default: 0 }),
    note: Type.Union([Type.String(), Type.Null()], { default: null }),
  }),
);
const inClient = <T>(work: (db: Db) => Promise<T>) => it.database.forClient(clientId, work);
const subject = (key: string) => ({ clientId, key });
const read = (key = 'a') => inClient((db) => checks.read(db, subject(key)));

test('requests while one is open are one, and what a run kept stays', async () => {
  await inClient((db) => checks.request(db, subject('a')));
  await inClient((db) => checks.save(db, subject('a'), { after: 7 }));
  await inClient((db) => checks.request(db, subject('a'), { note: 'again' }));
  expect(await read()).toMatchObject({ isDue: true, requests: 2, state: { after: 7, note: 'again' } });
  expect(await read('b')).toBeUndefined();
});

test('a request that comes during a run is not taken for done', async () => {
  await inClient((db) => checks.request(db, subject('a')));
  const taken = await read();
  await inClient((db) => checks.request(db, subject('a')));
  await inClient((db) => checks.finish(db, subject('a'), { requests: taken?.requests ?? 0, change: { after: 9 } }));
  expect(await read()).toMatchObject({ isDue: true, requests: 2, state: { after: 9 } });
  await inClient((db) => checks.finish(db, subject('a'), { requests: 2, change: {} }));
  expect(await read()).toMatchObject({ isDue: false, dueAt: null });
});

test('a hundred requests at once are one row, and none is lost', async () => {
  await Promise.all(
    Array.from({ length: 100 }, () =>
      inClient((db) => checks.requestEach(db, clientId, sql`select * from (values ('b'), ('a')) v (key)`)),
    ),
  );
  expect((await read('a'))?.requests).toBe(100);
  expect((await read('b'))?.requests).toBe(100);
});

test('what a locked row says stands until the transaction ends', async () => {
  await inClient((db) => checks.request(db, subject('a')));
  let request: Promise<void> | undefined;
  await inClient(async (db) => {
    const taken = await checks.lock(db, subject('a'));
    request = inClient((own) => checks.request(own, subject('a')));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await checks.finish(db, subject('a'), { requests: taken?.requests ?? 0, change: {} });
  });
  await request;
  expect(await read()).toMatchObject({ isDue: true, requests: 2 });
});

const job = defineJob({
  name: 'checks',
  input: Type.Object({ clientId: Type.String(), id: Type.String() }),
  retry: { limit: 0 },
  ofDue: (row) => ({ clientId: row.clientId, id: row.key }),
  run: async () => {},
});
const createQueue = () => {
  const added: object[] = [];
  return {
    added,
    enqueue: async (_db: unknown, _job: unknown, input: object) => {
      added.push(input);
      return 'id';
    },
  };
};

test('what is due is enqueued: of one client at once, of all by the job; what is done or due later is not', async () => {
  for (const key of ['a', 'b', 'c']) await inClient((db) => checks.request(db, subject(key)));
  await inClient((db) => checks.finish(db, subject('b'), { requests: 1, change: {} }));
  await inClient((db) => checks.schedule(db, subject('c'), { inSeconds: 60, change: {} }));
  await it.database.forClient(other, (db) => checks.request(db, { clientId: other, key: 'd' }));
  const one = createQueue();
  expect(await inClient((db) => enqueueDueOf(db, one, [job], clientId))).toBe(1);
  expect(one.added).toEqual([{ clientId, id: 'a' }]);
  const all = createQueue();
  const others = defineJob({ name: 'others', input: Type.Object({}), retry: { limit: 0 }, run: async () => {} });
  expect(await enqueueDueJobs({ database: it.database, jobs: all }, [others])).toBe(0);
  expect(await enqueueDueJobs({ database: it.database, jobs: all }, [others, job])).toBe(2);
  expect(all.added).toEqual([
    { clientId, id: 'a' },
    { clientId: other, id: 'd' },
  ]);
});

test('rows of the platform are one by key, and no client sees or writes them', async () => {
  const platform = { clientId: null, key: 'a' };
  await it.database.forIdentity((db) => checks.schedule(db, platform, { inSeconds: 60, change: { after: 1 } }));
  await it.database.forIdentity((db) => checks.schedule(db, platform, { inSeconds: -1, change: { note: 'x' } }));
  expect(await it.database.forIdentity((db) => checks.read(db, platform))).toMatchObject({
    isDue: true,
    state: { after: 1, note: 'x' },
  });
  expect(await inClient((db) => checks.read(db, platform))).toBeUndefined();
  await expect(inClient((db) => checks.request(db, platform))).rejects.toThrow(/row-level security/);
  await expect(it.database.forIdentity((db) => checks.request(db, subject('a')))).rejects.toThrow(/row-level security/);
});

const repositoryFile = (name: string) => readFile(new URL(`../../../../${name}`, import.meta.url), 'utf8');

/** The tables that job_state replaced, as the baseline makes them. */
const oldTables = async (): Promise<string> => {
  const baseline = `${await repositoryFile('schema/prioritisation.sql')}${await repositoryFile('schema/sbom.sql')}`;
  const names = ['reference_feed_checks', 'rescores', 'priority_rescores', 'license_checks'];
  return names
    .map((name) => {
      const made = new RegExp(`create table ${name} \\([\\s\\S]*?\\n\\);`).exec(baseline)?.[0] ?? '';
      const kind = name === 'reference_feed_checks' ? 'platform' : 'tenant';
      return `${made} call protect_${kind}_table('${name}');`;
    })
    .join('\n');
};

test('the migration takes over what was under way, also where its owner is no superuser', async () => {
  const connection = await it.owner.connect();
  try {
    await connection.query(`begin; drop table job_state; create role plain_owner;
      grant create on schema public to plain_owner; grant references, select on clients, repositories to plain_owner;
      grant plain_owner to current_user`);
    const { rows } = await connection.query<{ id: string }>(
      `insert into repositories (client_id, nickname, source_control) values ($1, 'shop', 'git') returning id`,
      [clientId],
    );
    const repositoryId = rows[0]?.id ?? '';
    await connection.query(`set local role plain_owner; ${await oldTables()}; reset role`);
    await connection.query(
      `insert into rescores values ('${clientId}', 3, 250, 2, null), ('${other}', 3, 900, 0, now());
       insert into priority_rescores values ('${clientId}', 5, '${repositoryId}', 500, 4000, '${other}', null);
       insert into license_checks values ('${clientId}', '${repositoryId}', 4, 3, '\\xab01');
       insert into reference_feed_checks values ('epss', 'https://feeds.example/epss', '2026-11-20T10:00:00Z', 'away', '"one"', null)`,
    );
    await connection.query('set local role plain_owner');
    await connection.query(await repositoryFile('migrations/20261122205505_job_state.sql'));
    await connection.query('reset role');
    const found = await connection.query(
      `select client_id, job, key, due_at <= now() as due, requests, state from job_state order by job, due_at is null, key`,
    );
    const mine = { client_id: clientId, key: '', due: true, requests: 1 };
    const rescored = { version: 3, after: 250, kevFound: 2 };
    expect(found.rows).toEqual([
      { ...mine, job: 'licenses.check', key: repositoryId, requests: 4, state: { content: 'ab01' } },
      {
        ...{ ...mine, job: 'prioritisation.rescore' },
        state: { version: 5, after: repositoryId, done: 500, total: 4000, jobId: other },
      },
      {
        ...{ client_id: null, job: 'reference.refresh', key: 'epss', due: true, requests: 1 },
        state: {
          ...{ address: 'https://feeds.example/epss', checkedAt: '2026-11-20T10:00:00.000Z', failure: 'away' },
          ...{ etag: '"one"', lastModified: null },
        },
      },
      { ...mine, job: 'reference.rescore', state: rescored },
      {
        ...{ ...mine, client_id: other, job: 'reference.rescore', due: null },
        state: { version: 3, after: 900, kevFound: 0 },
      },
    ]);
  } finally {
    await connection.query('rollback');
    connection.release();
  }
});
