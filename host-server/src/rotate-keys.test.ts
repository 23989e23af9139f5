import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDocumentSigner, createKeyRing } from '@breakwater/core/platform/server/key-ring.ts';
import { createVault, type SecretKey } from '@breakwater/core/platform/server/vault.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { launchServer, type ServerProcess } from '../../tools/testing/processes.ts';
import { withDatabase } from './admin.ts';
import { readConfig } from './config.ts';
import { createLogger } from './logger.ts';

const PASSWORD = 'Tr0ub4dor&3';
const SECRET = 'canary-of-the-rotation';
const ADMIN = path.join(import.meta.dirname, '../../tools/commands/admin.ts');

let folder: string;
let running: ServerProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rotate-'));
});
afterEach(async () => {
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
});

const restart = async (): Promise<string> => {
  await running?.stop();
  running = launchServer({
    BREAKWATER_DATA_DIR: folder,
    BREAKWATER_ADMIN_EMAIL: 'boss@example.test',
    BREAKWATER_ADMIN_PASSWORD: PASSWORD,
  });
  return running.url();
};

/** Signs in and fetches the signed client. */
const fetchClient = async (url: string): Promise<{ jws: string; clientId: string }> => {
  const login = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/vnd.breakwater.token+json' },
    body: JSON.stringify({ email: 'boss@example.test', password: PASSWORD }),
  });
  const { data } = JSON.parse(await login.text());
  const answer = await fetch(`${url}/api/v1/client`, { headers: { authorization: `Bearer ${data.access_token}` } });
  return { jws: JSON.parse(await answer.text()).data, clientId: data.client._id };
};

const keysFile = (): string => path.join(folder, 'secret.key');
const writeKeys = (keys: readonly Buffer[]): Promise<void> =>
  writeFile(keysFile(), keys.map((key) => `${key.toString('base64')}\n`).join(''), { mode: 0o600 });

/** Works on the running server's database with these keys, as the server would. */
const inVault = <T>(
  keys: readonly Buffer[],
  clientId: string,
  work: (
    vault: ReturnType<typeof createVault>,
    db: Parameters<ReturnType<typeof createVault>['read']>[0],
  ) => Promise<T>,
): Promise<T> =>
  withDatabase(readConfig({ BREAKWATER_DATA_DIR: folder }), createLogger('silent'), (database) =>
    database.forClient(clientId, (db) => work(createVault(createKeyRing(keys)), db)),
  );

test('a new key takes over on a running embedded database: nothing sealed or signed before is lost', {
  timeout: 180_000,
}, async () => {
  const first = await fetchClient(await restart());
  const { clientId } = first;
  const place: SecretKey = { clientId, connectorId: 'fortify', field: 'client_secret' };
  const older = Buffer.from((await readFile(keysFile(), 'utf8')).trim(), 'base64');
  await inVault([older], clientId, (vault, db) => vault.put(db, place, SECRET));

  const newer = randomBytes(32);
  await writeKeys([newer, older]);
  const second = await fetchClient(await restart());
  const both = createDocumentSigner(createKeyRing([newer, older]));
  expect(await both.verify(first.jws)).toMatchObject({ _id: clientId });
  expect(await createDocumentSigner(createKeyRing([older])).verify(second.jws)).toBeUndefined();

  const environment = { PATH: process.env['PATH'], BREAKWATER_DATA_DIR: folder };
  const rotate = () => promisify(execFile)(process.execPath, [ADMIN, 'rotate-keys'], { env: environment });
  expect((await rotate()).stdout).toBe('1 secrets were sealed with the newest key.\n');
  expect((await rotate()).stdout).toBe('0 secrets were sealed with the newest key.\n');

  await writeKeys([newer]);
  const third = await fetchClient(await restart());
  const alone = createDocumentSigner(createKeyRing([newer]));
  expect(await alone.verify(second.jws)).toMatchObject({ _id: clientId });
  expect(await alone.verify(third.jws)).toMatchObject({ _id: clientId });
  expect(await inVault([newer], clientId, (vault, db) => vault.read(db, place))).toBe(SECRET);
  await expect(inVault([older], clientId, (vault, db) => vault.read(db, place))).rejects.toThrow(/not in the key ring/);
});

test('a key removed before its secrets were sealed anew is missed with its name, and nothing is changed', {
  timeout: 180_000,
}, async () => {
  const { clientId } = await fetchClient(await restart());
  const place: SecretKey = { clientId, connectorId: 'fortify', field: 'client_secret' };
  const older = Buffer.from((await readFile(keysFile(), 'utf8')).trim(), 'base64');
  await inVault([older], clientId, (vault, db) => vault.put(db, place, SECRET));
  await writeKeys([randomBytes(32)]);
  const environment = { PATH: process.env['PATH'], BREAKWATER_DATA_DIR: folder };
  const failed = await promisify(execFile)(process.execPath, [ADMIN, 'rotate-keys'], { env: environment }).catch(
    (error: { stderr: string }) => error.stderr,
  );
  expect(failed).toMatch(/The key [0-9a-f]{12} that sealed this secret is not in the key ring/);
  expect(await inVault([older], clientId, (vault, db) => vault.read(db, place))).toBe(SECRET);
});
