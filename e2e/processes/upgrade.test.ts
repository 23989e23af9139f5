import { readFile } from 'node:fs/promises';
import { checkRollups } from '@breakwater/core/findings/server/index.ts';
import { createDatabase } from '@breakwater/core/platform/server/database.ts';
import { migrate } from '@breakwater/host-server/postgres/migrate.ts';
import { createAppPool } from '@breakwater/host-server/postgres/pool.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, signIn } from '../harness/api.ts';
import { type OwnPostgres, startOwnPostgres } from '../harness/own-postgres.ts';
import { removeFolder, startServer } from '../harness/server.ts';

/** Written by `tools/commands/upgrade-fixture.ts`, which runs the server of an older commit. */
const FIXTURE = new URL('../../host-server/src/postgres/__fixtures__/earlier-release/', import.meta.url);
const REPORTS = new URL('../../core/data/demo-juice-shop/', import.meta.url);
const ROLLUPS = 'rollups.sql';
/** What was imported then, and how an import of it ends today: that the first tells of parts it could not analyse was not read then. */
const REPORTS_AGAIN = [
  ['owasp-dependency-check.json', 'incomplete'],
  ['trivy-secrets.json', 'done'],
] as const;

interface Earlier {
  steps: { name: string; sha256: string }[];
  sequences: { name: string; last_value: string }[];
  /** Rows as the text of JSON, whose numbers may be longer than JavaScript's. */
  tables: Record<string, string[]>;
}

let postgres: OwnPostgres;
let earlier: Earlier;

/** The database as that commit left it: its tables, its triggers and views, its rows. */
const restoreEarlier = async (url: string): Promise<void> => {
  const names = earlier.steps.map(({ name }) => name);
  await migrate(url, new Set(names));
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query(await readFile(new URL(ROLLUPS, FIXTURE), 'utf8'));
    await owner.query('set session_replication_role = replica');
    for (const [table, rows] of Object.entries(earlier.tables)) {
      const columns = Object.keys(JSON.parse(rows[0] ?? '{}')).map((column) => pg.escapeIdentifier(column));
      await owner.query(
        `insert into ${table} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${table}, $1)`,
        [`[${rows.join(',')}]`],
      );
    }
    for (const { name, last_value } of earlier.sequences)
      await owner.query('select setval($1::regclass, $2)', [name, last_value]);
    for (const { name, sha256 } of earlier.steps)
      await owner.query('insert into schema_migrations values ($1, $2) on conflict (name) do update set sha256 = $2', [
        name,
        sha256,
      ]);
  } finally {
    await owner.end();
  }
};

beforeAll(async () => {
  earlier = JSON.parse(await readFile(new URL('rows.json', FIXTURE), 'utf8'));
  postgres = await startOwnPostgres();
  await restoreEarlier(postgres.url('breakwater'));
});
afterAll(() => postgres?.stop());

const onlyIdOf = (table: string): string => JSON.parse(earlier.tables[table]?.[0] ?? '{}').id;

/** Priorities got decimals since: they are scored anew, and stay what they were as whole numbers. */
const findingsNow = () =>
  postgres.query(
    `select id, severity, floor(priority)::int as priority, status, verdict, first_seen::text, is_duplicate, closed_at::text from findings order by id`,
  );

test('a server of today takes over the database of an earlier one: counts, lists, decisions, and the same reports change nothing', async () => {
  const url = postgres.url('breakwater');
  const before = await findingsNow();
  expect(before.length).toBeGreaterThan(10);
  expect(before.filter(({ verdict }) => verdict !== 'none').length).toBeGreaterThan(1);
  const server = await startServer({ environment: { DATABASE_URL: url } });
  try {
    const applied = await postgres.query('select name, sha256 from schema_migrations order by name');
    for (const step of earlier.steps.filter(({ name }) => name !== ROLLUPS)) expect(applied).toContainEqual(step);
    expect(applied.length).toBeGreaterThan(earlier.steps.length);
    expect(await migrate(url)).toEqual([]);

    const api = await signIn(server, ADMIN.username, ADMIN.password);
    const { body } = await api.get('/findings?pagination=false');
    expect(body.meta.pagination.total).toBe(before.filter((row) => row['is_duplicate'] === false).length);
    const repositoryId = onlyIdOf('repositories');
    for (const [file, status] of REPORTS_AGAIN) {
      const bytes = new Uint8Array(await readFile(new URL(file, REPORTS)));
      const upload = await api.upload(repositoryId, file, bytes);
      expect(upload.body.data).toMatchObject({ status, counts: { new: 0, closed: 0, reopened: 0 } });
    }
    expect(await findingsNow()).toEqual(before);

    const database = createDatabase(createAppPool(url, 2));
    expect(await checkRollups(database, onlyIdOf('clients'))).toEqual([]);
    await database.close();
    expect(server.errors()).toEqual([]);
  } finally {
    await server.stop();
    await removeFolder(server.dataDirectory);
  }
});
