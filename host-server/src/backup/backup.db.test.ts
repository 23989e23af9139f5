import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkRollups } from '@breakwater/core/findings/server/index.ts';
import { createDatabase } from '@breakwater/core/platform/server/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../../tools/testing/server.ts';
import { ensureAppLogin } from '../postgres/app-login.ts';
import { listSteps, migrate } from '../postgres/migrate.ts';
import { createAppPool } from '../postgres/pool.ts';
import { BackupFileError, verifyBackupFile } from './backup-file.ts';
import { RestoreError, restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const REPORTS = new URL('../../../core/data/demo-juice-shop/', import.meta.url);

let server: TestServer;
let folder: string;
let file: string;
let maintenance: pg.Client;
const databases: string[] = [];
const roles: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-backup-'));
  file = path.join(folder, 'first.backup');
  maintenance = new pg.Client({ connectionString: inject('postgresUrl') });
  await maintenance.connect();
  server = await startTestServer({ isWorking: true });
  const made = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname: 'shop', url: 'https://git.example.test/shop.git' }] },
  });
  for (const name of ['opengrep.semgrep-json.json', 'sbom.cyclonedx-1.2.json']) {
    const report = (await readFile(new URL(name, REPORTS))).toString('base64');
    const body = { tool: 'auto', file: report };
    const sent = await server.call('POST', `/upload_scan/${made.body.data[0]._id}?wait=100`, { as: 'admin', body });
    expect(sent.body.data.status).toBe('done');
  }
  // people are told of an import after it is done
  const told = async () => (await server.scene.owner.query('select id from notifications')).rows.length;
  await vi.waitFor(async () => expect(await told()).toBe(2), { timeout: 60_000, interval: 100 });
  // what COPY text has to escape
  await server.scene.owner.query(`update clients set legal_name = E'Tab\\t, line\\nbreak, \\\\N and "quotes"'`);
  await writeBackup({ url: server.scene.url, file });
});
afterAll(async () => {
  await server.close();
  for (const name of databases) await maintenance.query(`drop database if exists ${name} with (force)`);
  for (const role of roles) await maintenance.query(`drop role if exists ${role}`);
  await maintenance.end();
  await rm(folder, { recursive: true });
});

const newDatabase = async (owner?: string): Promise<string> => {
  const name = `restored_${randomUUID().replaceAll('-', '')}`;
  databases.push(name);
  await maintenance.query(`create database ${name}${owner === undefined ? '' : ` owner ${owner}`}`);
  const url = inject('postgresUrl').replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
  return owner === undefined ? url : url.replace(/\/\/[^@/]*@/, `//${owner}@`);
};

const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Rows and digest of every table. Those that the working server writes by itself are left out. */
const contentOf = (url: string): Promise<Record<string, string>> =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('schema_migrations', 'job_state', 'sessions', 'rate_limits') order by relname`,
    );
    const content: Record<string, string> = {};
    for (const { name } of rows) {
      const { rows: sums } = await client.query(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as sum from ${name} t`,
      );
      content[name] = sums[0].sum;
    }
    return content;
  });

/** Constraints, indexes, triggers, policies and what row-level security is forced: as migrations make them. */
const shapeOf = (url: string): Promise<unknown> =>
  connected(url, async (client) => {
    const { rows } = await client.query(`
      select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) as line
        from pg_constraint where connamespace = 'public'::regnamespace
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select concat_ws(' ', 'trigger', tgrelid::regclass, tgname, tgenabled) from pg_trigger
        where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      union all select concat_ws(' ', 'policy', tablename, policyname) from pg_policies
      union all select concat_ws(' ', 'security', relname, relrowsecurity, relforcerowsecurity) from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r'
      order by 1`);
    return rows.map(({ line }) => line);
  });

test('a restored database holds every row of every table, its tables are as migrations make them, and counts agree', async () => {
  const url = await newDatabase();
  const summary = await restoreBackup({ url, file });
  expect(summary.rows).toBeGreaterThan(1000);
  expect(await contentOf(url)).toEqual(await contentOf(server.scene.url));
  expect(await shapeOf(url)).toEqual(await shapeOf(server.scene.url));
  const database = createDatabase(createAppPool((await ensureAppLogin(url)).url));
  expect(await checkRollups(database, server.users.clientId)).toEqual([]);
  await database.close();
  // the next number of every sequence is free
  await connected(url, (client) =>
    client.query(`insert into finding_files (client_id, path) values ($1, 'new/file.ts')`, [server.users.clientId]),
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a backup of a restored database is the same backup', async () => {
  const url = await newDatabase();
  await restoreBackup({ url, file });
  const second = path.join(folder, 'second.backup');
  await writeBackup({ url, file: second });
  const again = await newDatabase();
  await restoreBackup({ url: again, file: second });
  expect(await contentOf(again)).toEqual(await contentOf(server.scene.url));
});

test('a plain user of the database, bound by row-level security, saves and restores every row, too', async () => {
  const owner = `plain_${Date.now()}`;
  roles.push(`breakwater_login_${owner}`, owner);
  await maintenance.query(`create role ${owner} login in role breakwater_app`);
  const url = await newDatabase(owner);
  await restoreBackup({ url, file });
  const expected = await contentOf(server.scene.url);
  const superuser = url.replace(`//${owner}@`, inject('postgresUrl').replace(/^.*(\/\/[^@]*@).*$/, '$1'));
  expect(await contentOf(superuser)).toEqual(expected);
  const second = path.join(folder, 'plain.backup');
  await writeBackup({ url, file: second });
  const again = await newDatabase();
  await restoreBackup({ url: again, file: second });
  expect(await contentOf(again)).toEqual(expected);
});

test('jobs that waited or ran wait again, and one that was there is not doubled', async () => {
  const source = await newDatabase();
  await restoreBackup({ url: source, file });
  const job = (key: string, state: string) =>
    `insert into pgboss.job (name, data, singleton_key, state) values ('test-import', '{"scanId": "${key}"}', '${key}', '${state}')`;
  await connected(source, async (client) => {
    await client.query(`select pgboss.create_queue('test-import', '{"policy": "short", "retryLimit": 2, "retryDelay": 1,
      "retryBackoff": false, "expireInSeconds": 900, "retentionSeconds": 1000, "deleteAfterSeconds": 1000}')`);
    for (const text of [job('a', 'created'), job('a', 'active'), job('b', 'active'), job('c', 'completed')])
      await client.query(text);
  });
  const saved = path.join(folder, 'jobs.backup');
  await writeBackup({ url: source, file: saved });
  const url = await newDatabase();
  await restoreBackup({ url, file: saved });
  const jobs = await connected(url, (client) =>
    client.query(`select data->>'scanId' as scan, state::text from pgboss.job where name = 'test-import' order by 1`),
  );
  expect(jobs.rows).toEqual([
    { scan: 'a', state: 'created' },
    { scan: 'b', state: 'created' },
  ]);
});

test('a database with an organisation is refused and keeps what it has; a migrated one without is filled', async () => {
  const before = await contentOf(server.scene.url);
  await expect(restoreBackup({ url: server.scene.url, file })).rejects.toThrow(/not empty, and nothing was changed/);
  expect(await contentOf(server.scene.url)).toEqual(before);
  const foreign = await newDatabase();
  await connected(foreign, (client) => client.query('create table notes (text text)'));
  await expect(restoreBackup({ url: foreign, file })).rejects.toThrow(RestoreError);
  const migrated = await newDatabase();
  await migrate(migrated);
  await restoreBackup({ url: migrated, file });
  expect(await contentOf(migrated)).toEqual(before);
});

test('a truncated or damaged file is refused at every place, and the database stays without a table', async () => {
  const whole = await readFile(file);
  const url = await newDatabase();
  const broken = path.join(folder, 'broken.backup');
  const cuts = [
    0,
    1,
    20,
    Math.floor(whole.length / 3),
    Math.floor(whole.length / 2),
    whole.length - 9,
    whole.length - 1,
  ];
  for (const length of cuts) {
    await writeFile(broken, whole.subarray(0, length));
    await expect(restoreBackup({ url, file: broken }), `cut at ${length}`).rejects.toThrow(BackupFileError);
  }
  for (const at of [3, 200, Math.floor(whole.length / 2), whole.length - 3]) {
    const damaged = Buffer.from(whole);
    damaged.writeUInt8((damaged[at] ?? 0) ^ 0x10, at);
    await writeFile(broken, damaged);
    await expect(restoreBackup({ url, file: broken }), `damaged at ${at}`).rejects.toThrow(BackupFileError);
  }
  await writeFile(broken, 'no backup at all');
  await expect(restoreBackup({ url, file: broken })).rejects.toThrow(BackupFileError);
  const tables = await connected(url, (client) =>
    client.query(`select from pg_class where relnamespace = 'public'::regnamespace`),
  );
  expect(tables.rowCount).toBe(0);
});

test('a backup never replaces a file, and one that fails leaves none', async () => {
  const kept = path.join(folder, 'kept.backup');
  await copyFile(file, kept);
  await expect(writeBackup({ url: server.scene.url, file: kept })).rejects.toThrow(/exists already/);
  expect((await verifyBackupFile(kept)).tables).toBeGreaterThan(50);
  await expect(
    writeBackup({ url: inject('postgresUrl').replace(/\/[^/?]*(\?|$)/, '/none$1'), file: path.join(folder, 'none') }),
  ).rejects.toThrow();
  expect((await readdir(folder)).filter((name) => name.startsWith('none'))).toEqual([]);
});

test('a backup of an earlier release is brought up to date while it is restored', async () => {
  const steps = (await listSteps()).filter(({ isRepeatable }) => !isRepeatable).map(({ name }) => name);
  const earlier = await newDatabase();
  await migrate(earlier, new Set(steps.slice(0, -3)));
  await connected(earlier, (client) => client.query(`insert into clients (organization_name) values ('Old Harbour')`));
  const old = path.join(folder, 'old.backup');
  await writeBackup({ url: earlier, file: old });
  const url = await newDatabase();
  await restoreBackup({ url, file: old });
  expect(await migrate(url)).toEqual([]);
  expect(await shapeOf(url)).toEqual(await shapeOf(server.scene.url));
  const { rows } = await connected(url, (client) => client.query('select organization_name from clients'));
  expect(rows).toEqual([{ organization_name: 'Old Harbour' }]);
});

test('a backup of a newer release is refused by name', async () => {
  const url = await newDatabase();
  await restoreBackup({ url, file });
  await connected(url, (client) =>
    client.query(`insert into schema_migrations (name, sha256) values ('29990101000000_future.sql', 'x')`),
  );
  const newer = path.join(folder, 'newer.backup');
  await writeBackup({ url, file: newer });
  await expect(restoreBackup({ url: await newDatabase(), file: newer })).rejects.toThrow(
    /cannot follow: 29990101000000_future\.sql/,
  );
});
