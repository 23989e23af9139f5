import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import { ensureAppLogin } from './app-login.ts';
import { migrate } from './migrate.ts';
import { createAppPool } from './pool.ts';

let scene: TestDatabase;
const roles: string[] = [];
beforeAll(async () => {
  scene = await createTestDatabase();
});
afterAll(() => scene.drop());
afterEach(async () => {
  for (const role of roles.splice(0)) await scene.owner.query(`drop role if exists ${role}`);
});

const NOBODY = '00000000-0000-7000-8000-000000000000';
const urlAs = (user: string): string => scene.url.replace(/\/\/[^@/]*@/, `//${user}@`);

test("the application's pool logs in as a role without rights of its own", async () => {
  const { rows } = await scene.database.forClient(NOBODY, (db) =>
    sql`select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, current_user::text as acts_as
        from pg_roles where rolname = session_user`.execute(db),
  );
  expect(rows).toEqual([
    { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, acts_as: 'breakwater_app' },
  ]);
});

test.each([
  'select 1 from users',
  'alter table users disable row level security',
  'set role breakwater',
  'set session authorization breakwater',
  `copy (select 1) to program 'true'`,
  'create table taken (id int)',
  'select rolpassword from pg_authid',
])('what slips out of its role can do nothing: %s', async (statement) => {
  const slipping = scene.database.forClient(NOBODY, async (db) => {
    await sql`set role none`.execute(db);
    await sql.raw(statement).execute(db);
  });
  await expect(slipping).rejects.toThrow(/permission denied|must be owner|must be superuser/);
});

test('a second start and parallel ones find the same login; migrations still run', async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => ensureAppLogin(scene.url)));
  expect(first).toMatchObject({ reason: undefined, isSuperuser: false });
  expect(others.every((other) => other.url === first?.url)).toBe(true);
  expect(first?.url).not.toBe(scene.url);
  expect(await migrate(scene.url)).toEqual([]);
});

test('where the owner has a password, the login gets one that follows from it', async () => {
  const owner = `owner_${Date.now()}`;
  roles.push(`breakwater_login_${owner}`, owner);
  await scene.owner.query(`create role ${owner} login superuser password 'first'`);
  const login = await ensureAppLogin(urlAs(`${owner}:first`));
  expect(login.reason).toBeUndefined();
  expect(login.url).toContain(`breakwater_login_${owner}:`);
  expect(login.url).not.toContain('first');
  const { rows } = await scene.owner.query('select rolpassword from pg_authid where rolname = $1', [
    `breakwater_login_${owner}`,
  ]);
  expect(rows[0].rolpassword).toMatch(/^SCRAM-SHA-256/);
});

test('a user who may make no login goes on as the application did before, and is no superuser', async () => {
  const owner = `plain_${Date.now()}`;
  roles.push(owner);
  await scene.owner.query(`create role ${owner} login in role breakwater_app`);
  const login = await ensureAppLogin(urlAs(owner));
  expect(login).toEqual({ url: urlAs(owner), reason: expect.stringMatching(/permission denied/), isSuperuser: false });
  const pool = createAppPool(login.url);
  expect((await pool.query('select current_user::text as name')).rows).toEqual([{ name: 'breakwater_app' }]);
  await pool.end();
});

test('a role of that name that may more than it should is not used', async () => {
  const owner = `other_${Date.now()}`;
  roles.push(`breakwater_login_${owner}`, owner);
  await scene.owner.query(`create role ${owner} login superuser`);
  await scene.owner.query(`create role breakwater_login_${owner} login superuser`);
  const login = await ensureAppLogin(urlAs(owner));
  expect(login).toMatchObject({ url: urlAs(owner), isSuperuser: true, reason: expect.stringMatching(/must not have/) });
});

test('the old pool, as the owner in the role of the application, could slip out of it', async () => {
  const old = new pg.Client({ connectionString: scene.url, options: '-c role=breakwater_app' });
  await old.connect();
  await old.query('set role none');
  expect((await old.query('select rolpassword from pg_authid')).rowCount).toBeGreaterThan(0);
  await old.end();
});
