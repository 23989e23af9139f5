import { checkRollups } from '@breakwater/core/findings/server/index.ts';
import type { DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import { DEMO_REPORTS, type ImportScene, readDemo } from '@breakwater/core/testing/import-scene.ts';
import { type MoveStep, moveClient } from '@breakwater/host-server/placement/move-client.ts';
import { openReportTools } from '@breakwater/host-server/plugins/parse-tools.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  contentOf,
  openPlaced,
  type PlacedServer,
  replicationOf,
  startPlacedServer,
  useOrganisation,
  writtenNumbers,
} from '../harness/placed-databases.ts';

const [SAST, , DEPENDENCIES, SECRETS] = DEMO_REPORTS;
const servers = new Map<string, PlacedServer>();
let main: PlacedServer;
let second: PlacedServer;
/** The one that moves, its neighbour, and one that lives where it moves to. */
let moving: ImportScene;
let neighbour: ImportScene;
let resident: ImportScene;
const processes: DatabaseHandle[] = [];

beforeAll(async () => {
  const tools = await openReportTools();
  [main, second] = [await startPlacedServer(), await startPlacedServer()];
  servers.set('main', main).set('second', second);
  moving = await main.openOrganisation(tools, [SAST, SECRETS]);
  neighbour = await main.openOrganisation(tools, [SECRETS]);
  resident = await second.openOrganisation(tools, [SECRETS, SAST]);
  await second.postgres.query(`insert into placements values ('${resident.clientId}', 'second')`);
  await main.postgres.query(`insert into placements values ('${resident.clientId}', 'second')`);
  for (let n = 0; n < 2; n += 1) processes.push(openPlaced(servers));
});
afterAll(async () => {
  for (const database of processes) await database.close();
  for (const server of servers.values()) await server.stop();
});

const move = (to: string, onStep?: (step: MoveStep) => void | Promise<void>) =>
  moveClient({
    clientId: moving.clientId,
    to,
    databases: new Map([...servers].map(([name, { url }]) => [name, url])),
    ...(onStep === undefined ? {} : { onStep }),
  });

const failAt = (wanted: MoveStep) => (step: MoveStep) => {
  if (step === wanted) throw new Error(`stopped before ${wanted}`);
};

const contents = () =>
  Promise.all([
    contentOf(main, moving.clientId),
    contentOf(second, moving.clientId),
    contentOf(main, neighbour.clientId),
    contentOf(second, resident.clientId),
  ]);

const nothingLeft = async () => {
  for (const server of servers.values()) expect(await replicationOf(server)).toEqual([]);
};

const findingsIn = async (database: DatabaseHandle, { clientId }: ImportScene): Promise<number> =>
  database.forClient(clientId, async (db) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from findings`.execute(db);
    return rows[0]?.n ?? 0;
  });

test('a move that fails before it switches leaves everything as it was', async () => {
  const before = await contents();
  for (const step of ['publish', 'copy', 'catch up', 'switch'] as const) {
    await expect(move('second', failAt(step))).rejects.toThrow(`stopped before ${step}`);
    expect(await contents()).toEqual(before);
    await nothingLeft();
  }
  expect(before[1]).toEqual({});
});

test('a target that refuses a row is told, and the organisation stays', async () => {
  const user = (clientId: string) =>
    `insert into users (client_id, email, username, password_hash, role) values ('${clientId}', 'a@b.example', 'a', '-', 'admin')`;
  await main.postgres.query(user(moving.clientId));
  await second.postgres.query(user(resident.clientId));
  const before = await contents();
  await expect(move('second')).rejects.toThrow('(lower(email))=(a@b.example) already exists');
  expect(await contents()).toEqual(before);
  await nothingLeft();
  await second.postgres.query(`update users set email = 'c@b.example', username = 'c'`);
});

test('an organisation moves while it is read, written and imported to', async () => {
  const [, , ofNeighbour, ofResident] = await contents();
  const [one, other] = [processes[0]!, processes[1]!];
  const findings = await findingsIn(one, moving);
  const use = await useOrganisation([one, other], moving.clientId, 1);
  let importing: ReturnType<ImportScene['run']> | undefined;
  const moved = await move('second', async (step) => {
    // stored before the stop, so that the stop waits for it
    if (step === 'switch') {
      const scan = await moving.store(DEPENDENCIES[0], await readDemo(DEPENDENCIES[1]));
      importing = moving.run(scan);
    }
  });
  const atEnd = use.acknowledged.length;
  await expect.poll(() => use.acknowledged.length).toBeGreaterThan(atEnd + 5);
  await use.stop();
  expect((await importing)?.outcome).toBe('done');
  expect(use.servers.size).toBe(2);
  expect(use.reads).toBeGreaterThan(5);
  expect(await writtenNumbers(other, moving.clientId)).toEqual(use.acknowledged);
  expect(await findingsIn(other, moving)).toBeGreaterThan(findings);
  expect(moved?.digests.find(({ table }) => table === 'findings')?.rows).toBe(await findingsIn(one, moving));
  expect(await checkRollups(one, moving.clientId)).toEqual([]);
  const after = await contents();
  expect(after[0]).toEqual({});
  expect([after[2], after[3]]).toEqual([ofNeighbour, ofResident]);
  await nothingLeft();
});

test('in its new database it is imported to, with numbers that no row has', async () => {
  const before = await findingsIn(processes[0]!, moving);
  await second.openOrganisation(moving.tools, [DEPENDENCIES], moving.clientId);
  expect(await findingsIn(processes[0]!, moving)).toBeGreaterThan(before);
  expect(await checkRollups(processes[0]!, moving.clientId)).toEqual([]);
});

test('a move back without writers changes no row', async () => {
  const [, before, ofNeighbour, ofResident] = await contents();
  const moved = await move('main');
  expect(await contents()).toEqual([before, {}, ofNeighbour, ofResident]);
  const rows = moved?.digests.reduce((sum, table) => sum + table.rows, 0);
  expect(rows).toBeGreaterThan(100);
  await nothingLeft();
  expect(await move('main')).toBeUndefined();
});

test.each(['open', 'remove'] as const)('a move that fails before "%s" is finished by moving again', async (step) => {
  const [before] = await contents();
  await expect(move('second', failAt(step))).rejects.toThrow(`stopped before ${step}`);
  // where no database lets it in yet, its transactions wait
  const reading = findingsIn(processes[0]!, moving);
  await expect(move('second')).resolves.toBeUndefined();
  expect(await reading).toBe(await findingsIn(processes[1]!, moving));
  const [left, there] = await contents();
  expect([left, there]).toEqual([{}, before]);
  await nothingLeft();
  await move('main');
  expect((await contents())[0]).toEqual(before);
});

test('what was written past the placement is not deleted', async () => {
  const rename = (name: string) =>
    main.postgres.query(`update clients set legal_name = '${name}' where id = '${moving.clientId}'`);
  const attempt = move('second', async (step) => {
    if (step === 'remove') await rename('written past it');
  });
  await expect(attempt).rejects.toThrow('changed afterwards, past its placement');
  expect((await contentOf(main, moving.clientId))['clients']).toContain('1 rows');
  await rename('');
  await move('second');
  expect(await contentOf(main, moving.clientId)).toEqual({});
});

test('a process that does not know the database of an organisation says so', async () => {
  const lesser = openPlaced(new Map([['main', main]]));
  try {
    expect(await findingsIn(lesser, neighbour)).toBeGreaterThan(0);
    await expect(findingsIn(lesser, resident)).rejects.toThrow('placed in the database "second", which this process');
  } finally {
    await lesser.close();
  }
  expect(() => openPlaced(new Map([['second', second]]))).toThrow('one is named "main"');
});
