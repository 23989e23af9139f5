import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';
import { createUsers } from '../../../../tools/testing/users.ts';
import { createKeyRing } from './key-ring.ts';
import { createVault } from './vault.ts';

const CANARY = 'canary-7f3a91c0d2e84b56';
const key = randomBytes(32);
const vault = createVault(createKeyRing([key]));
let scene: TestDatabase;
let ours: string;
let theirs: string;

beforeAll(async () => {
  scene = await createTestDatabase();
  ours = (await createUsers(scene.database)).clientId;
  theirs = (await createUsers(scene.database)).clientId;
});
afterAll(() => scene.drop());
beforeEach(() => scene.owner.query('truncate vault'));

const place = (clientId: string, connectorId = 'sca/fortify', field = 'client_secret') => ({
  clientId,
  connectorId,
  field,
});
const put = (clientId = ours, secret = CANARY): Promise<void> =>
  scene.database.forClient(clientId, (db) => vault.put(db, place(clientId), secret));

test('what was put is read again, replaced, listed and removed', async () => {
  await put();
  await put(ours, `${CANARY}-new`);
  const found = await scene.database.forClient(ours, async (db) => ({
    secret: await vault.read(db, place(ours)),
    list: await vault.list(db, place(ours)),
  }));
  expect(found).toEqual({ secret: `${CANARY}-new`, list: [{ field: 'client_secret', hint: '-new' }] });
  await scene.database.forClient(ours, (db) => vault.remove(db, { clientId: ours, connectorId: 'sca/fortify' }));
  expect(await scene.database.forClient(ours, (db) => vault.read(db, place(ours)))).toBeUndefined();
});

test('the database holds no readable secret, and of a short one no hint', async () => {
  await put(ours, 'short-1');
  await put(theirs);
  const { rows } = await scene.owner.query('select vault::text as row from vault');
  const dump = rows.map((row) => row.row).join('\n');
  expect(dump).not.toContain(Buffer.from(CANARY).toString('hex'));
  expect(dump).not.toContain(CANARY);
  const { rows: hints } = await scene.owner.query('select hint from vault where client_id = $1', [ours]);
  expect(hints).toEqual([{ hint: '' }]);
});

test.each([
  ['another client', () => scene.owner.query('update vault set client_id = $1', [theirs]), () => place(theirs)],
  [
    'another field',
    () => scene.owner.query(`update vault set field = 'other'`),
    () => place(ours, 'sca/fortify', 'other'),
  ],
  ['another connector', () => scene.owner.query(`update vault set connector_id = 'x'`), () => place(ours, 'x')],
])('a ciphertext moved to %s does not open', async (_where, move, target) => {
  await put();
  await move();
  const reading = scene.database.forClient(target().clientId, (db) => vault.read(db, target()));
  await expect(reading).rejects.toThrow(/unable to authenticate/i);
});

test('a changed ciphertext does not open', async () => {
  await put();
  await scene.owner.query(
    'update vault set ciphertext = set_byte(ciphertext, length(ciphertext) - 1, 1 + get_byte(ciphertext, length(ciphertext) - 1) % 200)',
  );
  await expect(scene.database.forClient(ours, (db) => vault.read(db, place(ours)))).rejects.toThrow();
});

test('keys rotate: the new one seals, the old one still opens until then', async () => {
  await put();
  const newer = createVault(createKeyRing([randomBytes(32), key]));
  const read = () => scene.database.forClient(ours, (db) => newer.read(db, place(ours)));
  expect(await read()).toBe(CANARY);
  expect(await scene.database.forClient(ours, (db) => newer.rotate(db, ours))).toBe(1);
  expect(await read()).toBe(CANARY);
  expect(await scene.database.forClient(ours, (db) => newer.rotate(db, ours))).toBe(0);
  await expect(scene.database.forClient(ours, (db) => vault.read(db, place(ours)))).rejects.toThrow(
    /not in the key ring/,
  );
});

test('another client sees nothing', async () => {
  await put();
  expect(await scene.database.forClient(theirs, (db) => vault.read(db, place(ours)))).toBeUndefined();
});
