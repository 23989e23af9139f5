import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { openDatabase } from '../open-database.ts';
import { moveClient } from './move-client.ts';
import { listTableObstacles } from './obstacles.ts';

const CLIENT = '01990000-0000-7000-8000-000000000001';
let one: TestDatabase;
let other: TestDatabase;

beforeAll(async () => {
  [one, other] = [await createTestDatabase(), await createTestDatabase()];
  await one.owner.query(`insert into clients (id, organization_name) values ($1, 'Harbour Works')`, [CLIENT]);
});
afterAll(async () => {
  await one.drop();
  await other.drop();
});

const obstacles = async (scene: TestDatabase): Promise<string[]> => {
  const client = await scene.owner.connect();
  try {
    return await listTableObstacles(client);
  } finally {
    client.release();
  }
};

const move = (to: string, second = other.url) =>
  moveClient({
    clientId: CLIENT,
    to,
    databases: new Map([
      ['main', one.url],
      ['second', second],
    ]),
  });

test('every row of an organisation can go along with it', async () => {
  expect(await obstacles(one)).toEqual([]);
});

test('a table that could not go along is named', async () => {
  await other.owner.query(`
    create table without_key (client_id uuid not null);
    create table with_other_key (client_id uuid not null, id integer primary key);
    create table of_the_platform (id integer primary key);
    create table with_reference (client_id uuid primary key references clients, platform_id integer references of_the_platform);
    create unlogged table not_logged (client_id uuid primary key);
    create table in_parts (client_id uuid primary key) partition by hash (client_id);`);
  expect(await obstacles(other)).toEqual([
    'changes of with_other_key do not name the organisation: give it a key with client_id, or replica identity full',
    'changes of without_key do not name the organisation: give it a key with client_id, or replica identity full',
    'in_parts is partitioned, inherited or unlogged',
    'not_logged is partitioned, inherited or unlogged',
    'with_reference refers to of_the_platform, which does not move',
  ]);
  await other.owner.query(
    'drop table without_key, with_other_key, with_reference, of_the_platform, not_logged, in_parts',
  );
});

test('a move that servers or addresses do not allow says everything that is missing', async () => {
  await expect(move('third')).rejects.toThrow('There is no database "third"; there are main, second.');
  await expect(move('second', one.url)).rejects.toThrow(
    /"main" and "second" are one database; set wal_level = logical/,
  );
  await other.owner.query(`update schema_migrations set sha256 = 'another' where name like '%placements%'`);
  await expect(move('second')).rejects.toThrow('bring the tables of both to the same release');
  await other.owner.query('create role without_rights; grant select on all tables in schema public to without_rights');
  const lesser = `${other.url}${other.url.includes('?') ? '&' : '?'}options=-c%20role%3Dwithout_rights`;
  await expect(move('second', lesser)).rejects.toThrow('name a superuser in the address of "second"');
  await other.owner.query('drop owned by without_rights; drop role without_rights');
});

test('the server does not start where an organisation is in another database', async () => {
  const config = readConfig({ DATABASE_URL: one.url });
  const open = () => openDatabase(config, createLogger('silent'));
  await (await open()).close();
  await one.owner.query(`insert into placements values ($1, 'second')`, [CLIENT]);
  await expect(open()).rejects.toThrow(`The organisation ${CLIENT} was moved to the database "second"`);
  await one.owner.query(`update placements set database = 'main'`);
  await (await open()).close();
});
