import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@breakwater/host-server/postgres/embedded.ts';
import pg from 'pg';
import { launchServer, type ServerProcess } from '../tools/testing/processes.ts';
import { type ApiClient, signIn } from './api-client.ts';
import { generateOpengrep } from './generate-opengrep.ts';
import { ADMIN } from './measured-server.ts';

/**
 * Imports of many repositories at once, with 1, 2 and 4 worker processes on one database, as a ratio to one worker.
 * `npm run bench -- workers [results of a report] [reports]`
 */
const [RESULTS = 10_000, REPORTS = 8] = process.argv.slice(2).map(Number);
const WORKERS = [1, 2, 4];

interface Scene {
  databaseUrl: string;
  folder: string;
}

const launch = ({ databaseUrl, folder }: Scene, role: 'web' | 'worker'): ServerProcess =>
  launchServer(
    {
      DATABASE_URL: databaseUrl,
      BREAKWATER_DATA_DIR: folder,
      BREAKWATER_ADMIN_EMAIL: ADMIN.email,
      BREAKWATER_ADMIN_PASSWORD: ADMIN.password,
    },
    [`--role=${role}`],
  );

const importAll = async (api: ApiClient, name: string, results: number, reports: number): Promise<number> => {
  const report = new Blob([...generateOpengrep({ results })], { type: 'application/json' });
  const repositories: string[] = [];
  for (let n = 0; n < reports; n += 1) repositories.push(await api.addRepository(`${name}-${n}`));
  const start = performance.now();
  await Promise.all(
    repositories.map(async (repository) => {
      const { counts } = await api.upload(repository, 'opengrep', report);
      if (counts.new !== results) throw new Error(`expected ${results} new findings, met ${counts.new}`);
    }),
  );
  return (performance.now() - start) / 1000;
};

/** A database of its own for each number of workers, so that none meets the findings of the others. */
const measure = async (maintenanceUrl: string, folder: string, workers: number): Promise<number> => {
  const name = `workers_${workers}`;
  const maintenance = new pg.Client({ connectionString: maintenanceUrl });
  await maintenance.connect();
  await maintenance.query(`create database ${name}`);
  await maintenance.end();
  const scene = { databaseUrl: maintenanceUrl.replace('/postgres?', `/${name}?`), folder };
  const running = [launch(scene, 'web')];
  try {
    const url = await running[0]?.url();
    running.push(...Array.from({ length: workers }, () => launch(scene, 'worker')));
    await Promise.all(running.map((server) => server.url()));
    const api = await signIn(url ?? '');
    // workers at work have their threads and plans warm
    await importAll(api, 'warm-up', 200, workers * 2);
    return (RESULTS * REPORTS) / (await importAll(api, 'measured', RESULTS, REPORTS));
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
};

const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-bench-'));
await chmod(folder, 0o755);
const postgres = await startEmbeddedPostgres({ dataDirectory: folder });
try {
  const cores = os.availableParallelism();
  process.stdout.write(`${REPORTS} reports of ${RESULTS} results, ${cores} cores for workers and database\n`);
  const figures: Record<string, number> = {};
  for (const workers of WORKERS) {
    const perSecond = await measure(postgres.url, folder, workers);
    figures[`workers_${workers}_per_s`] = Math.round(perSecond);
    const ratio = perSecond / (figures.workers_1_per_s ?? perSecond);
    figures[`workers_${workers}_ratio`] = Number(ratio.toFixed(2));
    process.stdout.write(
      `${`${workers} workers, findings per second`.padEnd(52)}${String(Math.round(perSecond)).padStart(12)}  × ${ratio.toFixed(2)}\n`,
    );
  }
  const load = Number((os.loadavg()[0] ?? 0).toFixed(1));
  process.stdout.write(
    `${JSON.stringify({ bench: 'workers', results: RESULTS, reports: REPORTS, cores, ...figures, load })}\n`,
  );
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
