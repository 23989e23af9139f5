import { execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@breakwater/host-server/postgres/embedded.ts';
import { addRepository, setUp } from '../../e2e/harness/api.ts';
import { ask } from '../../e2e/harness/own-postgres.ts';
import { emptyFolder, freePort, removeFolder } from '../../e2e/harness/server.ts';
import { ROOT } from '../suites/run.ts';

/**
 * Writes what the server of an older commit left in its database, for `upgrade.db.test.ts`: `npm run dev -- node tools/commands/upgrade-fixture.ts <commit>`.
 * The server of that commit runs with today's packages, is set up, imports two reports and takes decisions.
 */
const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error('Say which commit: node tools/commands/upgrade-fixture.ts <commit>');
const FIXTURE = path.join(ROOT, 'host-server/src/postgres/__fixtures__/earlier-release');
const REPORTS = ['owasp-dependency-check.json', 'trivy-secrets.json'];
const CHANGES = [{ verdict: { value: 'false_positive' } }, { verdict: { value: 'valid' } }, { status: 'ready' }];

/** The packages of today, and of ours those of the commit. */
const linkPackages = async (tree: string): Promise<void> => {
  const modules = path.join(tree, 'node_modules');
  await mkdir(path.join(modules, '@breakwater'), { recursive: true });
  for (const entry of await readdir(path.join(ROOT, 'node_modules')))
    if (entry !== '@breakwater' && !entry.startsWith('.'))
      await symlink(path.join(ROOT, 'node_modules', entry), path.join(modules, entry));
  const folders = ['sdk', 'core', 'host-server', 'app', 'e2e', 'benchmarks', 'tools'];
  const plugins = (await readdir(path.join(tree, 'plugins'))).map((name) => `plugins/${name}`);
  for (const folder of [...folders, ...plugins]) {
    const text = await readFile(path.join(tree, folder, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) await symlink(path.join(tree, folder), path.join(modules, String(JSON.parse(text).name)));
  }
};

const runServer = async (tree: string, dataDirectory: string, work: (url: string) => Promise<void>): Promise<void> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [path.join(tree, 'host-server/src/main.ts')], {
    env: { PATH, PORT: String(port), BREAKWATER_DATA_DIR: dataDirectory, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  try {
    while (
      !(await fetch(`${url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      ))
    ) {
      if (child.exitCode !== null) throw new Error('The server of the commit did not start.');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await work(url);
  } finally {
    child.kill('SIGTERM');
    await gone;
  }
};

const fill = async (url: string): Promise<void> => {
  const api = await setUp({ url });
  const repository = await addRepository(api, 'shop');
  for (const file of REPORTS) {
    const bytes = new Uint8Array(await readFile(path.join(ROOT, 'core/data/demo-juice-shop', file)));
    const { body } = await api.upload(repository, file, bytes);
    if (body.data?.status !== 'done') throw new Error(`${file}: ${JSON.stringify(body)}`);
  }
  const { body } = await api.get('/findings');
  for (const [n, change] of CHANGES.entries()) {
    const answer = await api.call('PUT', `/findings/${body.data[n]._id}`, change);
    if (answer.status !== 200) throw new Error(`${JSON.stringify(change)}: ${JSON.stringify(answer.body)}`);
  }
};

/** Every row as the text of JSON, whose numbers may be longer than JavaScript's; without the columns that PostgreSQL computes. */
const readTables = async (url: string): Promise<Record<string, unknown[]>> => {
  const known = await ask(
    url,
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations' group by 1 order by 1`,
  );
  const tables: Record<string, unknown[]> = {};
  for (const { name, columns } of known) {
    const rows = await ask(
      url,
      `select row_to_json(t)::text as row from (select ${String(columns)} from ${String(name)}) t`,
    );
    if (rows.length > 0) tables[String(name)] = rows.map(({ row }) => row);
  }
  return tables;
};

const tree = await mkdtemp(path.join(os.tmpdir(), 'breakwater-commit-'));
const dataDirectory = await emptyFolder();
const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
try {
  git('worktree', 'add', '--force', '--detach', tree, commit);
  await linkPackages(tree);
  await runServer(tree, dataDirectory, fill);
  const server = await startEmbeddedPostgres({ dataDirectory });
  try {
    const steps = await ask(server.url, 'select name, sha256 from schema_migrations order by name');
    const sequences = await ask(
      server.url,
      `select sequencename as name, last_value from pg_sequences where schemaname = 'public' and last_value is not null`,
    );
    const fixture = { commit: git('rev-parse', commit).trim(), steps, sequences, tables: await readTables(server.url) };
    await mkdir(FIXTURE, { recursive: true });
    await writeFile(path.join(FIXTURE, 'rows.json'), `${JSON.stringify(fixture, undefined, 1)}\n`);
    await writeFile(path.join(FIXTURE, 'rollups.sql'), await readFile(path.join(tree, 'core/schema/rollups.sql')));
  } finally {
    await server.stop();
  }
} finally {
  git('worktree', 'remove', '--force', tree);
  await rm(tree, { recursive: true, force: true });
  await removeFolder(dataDirectory);
}
