import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addClientJob, requeueStalledJobs } from '../../../platform/server/jobs/client-jobs.ts';
import { insertRandomFindings } from '../../../testing/random-findings.ts';
import { findRollupDifferences } from '../../../testing/snapshot.ts';
import { bulkChange } from './bulk-job.ts';
import { runBulkJob } from './run-bulk-job.ts';

const CHILD = path.join(import.meta.dirname, '../../../testing/processes/bulk-child.ts');
const COUNT = 6500;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await insertRandomFindings(server.scene.owner, {
    clientId: server.users.clientId,
    users: [server.users.cyberoper.id],
    count: COUNT,
    start: 11,
  });
});
afterAll(() => server.close());

const rows = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await server.scene.owner.query(text, values)).rows;
const order = async (filters: object, change: object): Promise<string> => {
  const { status, body } = await server.call('PUT', '/findings/bulk', { as: 'cyberoper', body: { filters, change } });
  expect(status).toBe(202);
  return body.data.job_id;
};
const read = async (id: string) => (await server.call('GET', `/jobs/${id}`, { as: 'cyberoper' })).body.data?.attributes;
const position = async (id: string): Promise<number> =>
  (await rows<{ position: number }>('select position from client_jobs where id = $1', [id]))[0]?.position ?? 0;
const REASON = 'Killed in the middle';
/** Findings that a change wrote, how often, and those that have the verdict without its history or the other way round. */
const written = async (id: string) =>
  (
    await rows<{ findings: number; events: number; half: number }>(
      `select count(distinct finding_id)::integer as findings, count(*)::integer as events,
         (select count(*)::integer from findings f
          left join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
          where (f.verdict = 'false_positive' and d.verdict_reason is not distinct from $2)
            <> exists (select 1 from finding_events e where e.finding_id = f.id and e.change_id = $1)) as half
       from finding_events where change_id = $1`,
      [id, REASON],
    )
  )[0];

const untilAfter = async (child: ChildProcess, id: string, from: number): Promise<void> => {
  while (child.exitCode === null && (await position(id)) <= from)
    await new Promise((resolve) => setTimeout(resolve, 3));
};

test('a job whose process is killed is resumed by the queue: no half verdict, counts true, undone as one', async () => {
  const id = await order({}, { verdict: { value: 'false_positive', reason: REASON } });
  const work = () => spawn(process.execPath, [CHILD, server.scene.url], { stdio: ['ignore', 'ignore', 'inherit'] });
  const killed = work();
  await untilAfter(killed, id, 0);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  // in the middle, with nobody at work: what is said is what is written
  const now = await read(id);
  expect(now).toMatchObject({ status: 'running', finished_at: null, total: COUNT });
  expect(now.done + now.refused_count).toBe(await position(id));
  expect(await position(id)).toBeLessThan(COUNT);
  expect((await written(id))?.half).toBe(0);
  expect(await findRollupDifferences({ rows })).toEqual([]);
  const child = work();
  await expect.poll(async () => (await read(id)).status, { timeout: 120_000, interval: 100 }).toBe('done');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const end = await read(id);
  expect(end.done + end.refused_count).toBe(COUNT);
  const all = await written(id);
  expect(all?.findings).toBe(all?.events);
  expect(all?.half).toBe(0);
  const [counted] = await rows<{ count: number }>(
    `select count(*)::integer as count from findings where verdict = 'false_positive'`,
  );
  expect(counted?.count).toBe(end.done);
  expect(await findRollupDifferences({ rows })).toEqual([]);
  const undo = await server.call('POST', '/findings/undo', { as: 'cyberoper', body: { change_id: id } });
  expect(undo.status).toBe(202);
  await runBulkJob(server.scene.database, run(undo.body.data.job_id));
  expect((await read(undo.body.data.job_id)).done).toBe(all?.findings);
  expect(await findRollupDifferences({ rows })).toEqual([]);
});

const run = (jobId: string) => ({
  id: '',
  data: { clientId: server.users.clientId, jobId },
  attempt: 1,
  signal: new AbortController().signal,
});

test('a job that the queue has lost is enqueued again, and one that ends every process ends honestly', async () => {
  const id = await order({}, { tags: ['seen'] });
  const enqueued: object[] = [];
  const jobs = {
    enqueue: async (_db: unknown, { name }: { name: string }, data: object) => {
      enqueued.push({ name, ...data });
      return 'x';
    },
  };
  const requeue = () => requeueStalledJobs({ database: server.scene.database, jobs }, [bulkChange]);
  const still = () => rows(`update client_jobs set touched_at = now() - interval '1 hour' where id = $1`, [id]);
  expect(await requeue()).toBe(0);
  for (let time = 0; time < 5; time += 1) {
    await still();
    expect(await requeue()).toBe(1);
    expect(await requeue()).toBe(0);
  }
  expect(enqueued).toEqual(Array(5).fill({ name: bulkChange.name, clientId: server.users.clientId, jobId: id }));
  await still();
  await Promise.all([requeue(), requeue()]);
  expect(enqueued).toHaveLength(5);
  expect(await read(id)).toMatchObject({
    status: 'failed',
    done: 0,
    detail: expect.stringContaining('What was done stays'),
  });
  // too late: it is over
  await runBulkJob(server.scene.database, run(id));
  expect((await read(id)).status).toBe('failed');
});

test('two runs of one job share its steps; an id that is named twice counts once', async () => {
  const found = await rows<{ id: string }>('select id from findings order by id limit 2500');
  const ids = found.map((row) => row.id);
  const body = { ids: [...ids, ...ids.slice(0, 2000)], change: { tags: ['twice'] } };
  const answer = await server.call('PUT', '/findings/bulk', { as: 'admin', body });
  const id = answer.body.data.job_id;
  await Promise.all([runBulkJob(server.scene.database, run(id)), runBulkJob(server.scene.database, run(id))]);
  const job = (await server.call('GET', `/jobs/${id}`, { as: 'admin' })).body.data.attributes;
  expect(job).toMatchObject({ status: 'done', total: 2500, done: 2500, refused_count: 0, percentage: 100 });
  const [events] = await rows<{ count: number }>(
    'select count(*)::integer as count from finding_events where change_id = $1',
    [id],
  );
  expect(events?.count).toBe(2500);
});

test('whoever comes back finds what runs and what ended, until it was seen; nobody finds that of others', async () => {
  await rows('update client_jobs set seen_at = now()');
  const list = async (as: 'admin' | 'cyberoper' | 'developer') =>
    (await server.call('GET', '/jobs', { as })).body.data.map((job: { _id: string }) => job._id);
  const id = await order({}, { tags: ['later'] });
  expect(await list('cyberoper')).toEqual([id]);
  const see = (of: string, as: 'admin' | 'cyberoper' = 'cyberoper') =>
    server.call('POST', `/jobs/${of}/seen`, { as, body: {} });
  expect(await see(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  await runBulkJob(server.scene.database, run(id));
  expect(await list('cyberoper')).toEqual([id]);
  expect(await list('admin')).toEqual([]);
  expect(await list('developer')).toEqual([]);
  expect((await see(id, 'admin')).status).toBe(404);
  expect((await see(randomUUID())).status).toBe(404);
  expect((await see('x')).status).toBe(404);
  expect((await see(id)).body).toEqual({ success: true });
  expect((await see(id)).status).toBe(200);
  expect(await list('cyberoper')).toEqual([]);
  expect((await server.call('GET', '/jobs', { as: 'superadmin' })).status).toBe(403);
  // what ended days ago is no news
  await rows(`update client_jobs set seen_at = null, finished_at = now() - interval '2 days' where id = $1`, [id]);
  expect(await list('cyberoper')).toEqual([]);
});

/** So many at once: as arguments of a call they overflow the stack. */
const MANY = 210_000;

test('a change of 210,000 findings is found by the database, taken up in parts and cancelled between two', async () => {
  const { scene } = server;
  const many = await createUsers(scene.database, 'Many');
  const { clientId } = many;
  const fill = (text: string) => scene.owner.query(text, [clientId]);
  await fill(`insert into repositories (client_id, nickname, source_control) values ($1, 'many', 'git')`);
  await fill(
    `insert into scan_scopes (client_id, repository_id, tool) select $1, id, 'x' from repositories where client_id = $1`,
  );
  await fill(
    `insert into finding_definitions (client_id, digest, tool, rule_id, title) values ($1, md5('x')::uuid, 'x', 'r', 'many')`,
  );
  await fill(
    `insert into findings (client_id, id, repository_id, scope_id, definition_id, identity, ordinal, severity, severity_numerical,
       priority, tool, type, category, first_scan_id, date, first_seen)
     select $1, new_id(), c.repository_id, c.id, x.id, md5('x')::uuid, n, 1, 30, 10, 'x', 'SAST', '', c.repository_id, now(), now()
     from generate_series(1, ${MANY}) n, scan_scopes c, finding_definitions x where c.client_id = $1 and x.client_id = $1`,
  );
  const filters = { tool: ['x'], status: ['enriched'] };
  const jobId = await scene.database.forClient(clientId, (db) =>
    addClientJob(db, {
      clientId,
      kind: 'findings.change',
      actor: many.admin.id,
      input: { filters, change: { status: 'ready' } },
      total: MANY,
    }),
  );
  const state = async () =>
    (
      await rows<{ status: string; position: number; total: number; done: number; parts: number }>(
        `select status, position, total, done, (select count(*)::integer from client_job_parts p where p.job_id = j.id) as parts
       from client_jobs j where id = $1`,
        [jobId],
      )
    )[0];
  const stop = new AbortController();
  const work = runBulkJob(scene.database, { id: '', data: { clientId, jobId }, attempt: 1, signal: stop.signal });
  await expect.poll(async () => (await state())?.position, { timeout: 120_000, interval: 20 }).toBeGreaterThan(0);
  stop.abort();
  await expect(work).rejects.toThrow();
  const stopped = await state();
  expect(stopped).toMatchObject({ status: 'running', total: MANY, parts: MANY / 1000 });
  expect(stopped?.done).toBe(stopped?.position);
  // what it changed no longer meets its filter: it goes on with the findings that it found, and does none twice
  const again = new AbortController();
  const rest = runBulkJob(scene.database, { id: '', data: { clientId, jobId }, attempt: 2, signal: again.signal });
  await expect
    .poll(async () => (await state())?.position, { timeout: 120_000, interval: 20 })
    .toBeGreaterThan(stopped?.position ?? 0);
  await rows(`update client_jobs set status = 'cancelled', finished_at = now() where id = $1`, [jobId]);
  await rest;
  const end = await state();
  expect(end).toMatchObject({ status: 'cancelled', total: MANY });
  const [changed] = await rows<{ count: number }>(
    `select count(*)::integer as count from findings where client_id = $1 and status = 'ready'`,
    [clientId],
  );
  expect(changed?.count).toBe(end?.done);
  expect(end?.done).toBe(end?.position);
});
