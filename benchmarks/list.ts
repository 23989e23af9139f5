import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createFilterEndpoints, createFindingsEndpoints } from '@breakwater/core/findings/server/index.ts';
import { createDatabase, type DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import type { Endpoint } from '@breakwater/core/platform/server/endpoint.ts';
import { createPostureEndpoints } from '@breakwater/core/posture/server/index.ts';
import { fixGroupEndpoints } from '@breakwater/core/remediation/server/index.ts';
import { createAppPool } from '@breakwater/host-server/postgres/pool.ts';
import type pg from 'pg';
import { type ListCase, listCases } from './list-cases.ts';
import { withOwnDatabase } from './own-database.ts';
import { fillRollups, seedFindings } from './seed.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { data: { type: 'string' } } });
const LARGE = Number(positionals[0] ?? 1_000_000);
/** Only cases whose name has this text; all without it. */
const ONLY = positionals[1] ?? '';
const SMALL = 10_000;
const WARM_UPS = 2;
const SAMPLES = 12;
const PAGE_SIZE = 50;

const endpointsOf = (database: DatabaseHandle): Endpoint[] => [
  ...createFilterEndpoints({ database }),
  ...createFindingsEndpoints(),
  ...createPostureEndpoints(),
  ...fixGroupEndpoints(),
];

/** Calls a handler as the host does: one transaction of the client, acting as the role under row-level security. */
const call = async (database: DatabaseHandle, clientId: string, of: ListCase, extra: object): Promise<unknown> => {
  const endpoint = endpointsOf(database).find(({ route }) => route.method === 'GET' && route.path === of.path);
  if (endpoint === undefined) throw new Error(`There is no route ${of.path}`);
  const caller = { clientId, userId: clientId, role: 'admin' };
  return database.forClient(clientId, async (db) =>
    endpoint.handle({ db, caller, params: {}, query: of.query, ...extra }),
  );
};

/** Null where the rows came before they were counted. */
const totalOf = (answer: unknown): number | null => {
  const { meta } = Object(answer);
  return meta?.pagination?.total ?? null;
};

/** What an earlier run left in the folder of `--data`, with its counts as this code keeps them; else a new client. */
const seedOnce = async (owner: pg.Client, findings: number): Promise<{ clientId: string }> => {
  const name = `List of ${findings}`;
  const stored = await owner.query<{ id: string }>('select id from clients where organization_name = $1', [name]);
  const clientId = stored.rows[0]?.id;
  if (clientId === undefined) return seedFindings(owner, { findings, name });
  await fillRollups(owner, clientId);
  return { clientId };
};

/** The same, with a fixed version of every package: what the groups by fix are made of. */
const seededOnce = async (owner: pg.Client, findings: number): Promise<{ clientId: string }> => {
  const seeded = await seedOnce(owner, findings);
  await owner.query(
    `update finding_definitions set fixed_version = component_version || '.' || 1 + id % 7
     where client_id = $1 and component is not null and fixed_version is null`,
    [seeded.clientId],
  );
  return seeded;
};

const firstId = async (owner: pg.Client, clientId: string): Promise<string> => {
  const found = await owner.query<{ id: string }>('select id from findings where client_id = $1 order by id limit 1', [
    clientId,
  ]);
  return found.rows[0]?.id ?? '';
};

interface Quantiles {
  p50: number;
  p95: number;
  /** Processor time of one call, here and in PostgreSQL: hardly longer where others use the machine too. */
  cpu: number;
}

interface Measured extends Quantiles {
  total: number;
  /** p95 of the count, where the page comes without it. */
  countP95: number | undefined;
}

/** Milliseconds that this process and the sessions of PostgreSQL have used; those of this process alone where no /proc tells. */
const processorTime = async (owner: pg.Client): Promise<number> => {
  const { user, system } = process.cpuUsage();
  const sessions = await owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  const used = await Promise.all(
    sessions.rows.map(async ({ pid }) => {
      const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0')).split(' ');
      return Number(nanoseconds) / 1e6;
    }),
  );
  return used.reduce((sum, one) => sum + one, (user + system) / 1000);
};

const quantiles = async (owner: pg.Client, act: () => Promise<unknown>): Promise<Quantiles> => {
  const times: number[] = [];
  for (let run = 0; run < WARM_UPS; run += 1) await act();
  const before = await processorTime(owner);
  for (let run = 0; run < SAMPLES; run += 1) {
    const start = performance.now();
    await act();
    times.push(performance.now() - start);
  }
  const cpu = ((await processorTime(owner)) - before) / SAMPLES;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), cpu };
};

interface Measurement {
  owner: pg.Client;
  database: DatabaseHandle;
  clientId: string;
  /** Of some finding. */
  id: string;
}

const measure = async ({ owner, database, clientId, id }: Measurement, of: ListCase): Promise<Measured> => {
  if (of.path !== '/findings') {
    const extra = { params: { id } };
    return { ...(await quantiles(owner, () => call(database, clientId, of, extra))), total: 0, countP95: undefined };
  }
  const total = totalOf(await call(database, clientId, of, {})) ?? 0;
  const page = 1 + Math.round(Math.max(0, Math.ceil(total / PAGE_SIZE) - 1) * (of.depth ?? 0));
  const asked = (pagination: object) => ({ query: { ...of.query, pagination } });
  const paged = asked({ page, pageSize: PAGE_SIZE });
  const soon = { query: { ...paged.query, total: 'later' } };
  const isCountedLater = totalOf(await call(database, clientId, of, soon)) === null;
  const counted = isCountedLater
    ? await quantiles(owner, () => call(database, clientId, of, asked({ page: 1, pageSize: 1 })))
    : undefined;
  return { ...(await quantiles(owner, () => call(database, clientId, of, soon))), total, countP95: counted?.p95 };
};

const cell = (value: string | number, width: number): string => String(value).padStart(width);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const run = async (owner: pg.Client, url: string): Promise<void> => {
  const small = await seededOnce(owner, SMALL);
  const large = await seededOnce(owner, LARGE);
  const database = createDatabase(createAppPool(url));
  const inSmall = { owner, database, ...small, id: await firstId(owner, small.clientId) };
  const inLarge = { owner, database, ...large, id: await firstId(owner, large.clientId) };
  const p95: Record<string, number> = {};
  const cpu: Record<string, number> = {};
  const ratios: Record<string, number> = {};
  const slowest: Record<string, number> = {};
  const totals: Record<string, number> = {};
  print(
    `${'milliseconds'.padEnd(48)}${cell('found', 10)}${cell('p50', 9)}${cell('p95', 9)}${cell('cpu', 9)}${cell('p50 at 10k', 12)}${cell('ratio', 8)}${cell('total p95', 11)}`,
  );
  for (const of of listCases().filter(({ group, name }) => `${group}: ${name}`.includes(ONLY))) {
    const base = await measure(inSmall, of);
    const full = await measure(inLarge, of);
    const name = `${of.group}: ${of.name}`;
    // medians: two extremes of a shared machine say nothing about growth
    const ratio = full.p50 / base.p50;
    p95[name] = Number(full.p95.toFixed(1));
    cpu[name] = Number(full.cpu.toFixed(1));
    ratios[name] = Number(ratio.toFixed(2));
    slowest[of.group] = Math.max(slowest[of.group] ?? 0, p95[name] ?? 0);
    print(
      `${name.padEnd(48)}${cell(full.total, 10)}${cell(full.p50.toFixed(1), 9)}${cell(full.p95.toFixed(1), 9)}${cell(full.cpu.toFixed(1), 9)}${cell(base.p50.toFixed(1), 12)}${cell(ratio.toFixed(2), 8)}${cell(full.countP95?.toFixed(1) ?? '', 11)}`,
    );
    if (full.countP95 !== undefined) totals[name] = Number(full.countP95.toFixed(1));
  }
  await database.close();
  print(
    JSON.stringify({
      bench: 'list',
      findings: LARGE,
      slowest_p95_ms: slowest,
      p95_ms: p95,
      cpu_ms: cpu,
      total_p95_ms: totals,
      ratio_to_10k: ratios,
    }),
  );
};

await withOwnDatabase(run, values.data);
