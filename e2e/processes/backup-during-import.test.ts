import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ADMIN, addRepository, setUp, signIn } from '../harness/api.ts';
import { cleanRun, harvest, REPORT, RESULTS, waitForScan } from '../harness/interrupted-import.ts';
import { emptyFolder, ROOT, removeFolder, startServer } from '../harness/server.ts';

const COMMANDS = path.join(ROOT, 'tools/commands');

/** Runs an operator's command on a data folder. */
const command = async (name: 'backup' | 'restore', dataDirectory: string, ...args: string[]) => {
  const env = { PATH: process.env['PATH'], BREAKWATER_DATA_DIR: dataDirectory };
  const script = path.join(COMMANDS, `${name}.ts`);
  return promisify(execFile)(process.execPath, [script, ...args], { env }).then(
    ({ stdout }) => ({ code: 0, out: stdout, err: '' }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout,
      err: error.stderr,
    }),
  );
};

test('a backup taken while a report is imported, restored elsewhere: the import is done there, and equals a clean run', {
  timeout: 900_000,
}, async () => {
  const expected = cleanRun();
  const [source, target] = [await emptyFolder(), await emptyFolder()];
  const file = path.join(await emptyFolder(), 'drill.backup');
  const server = await startServer({ dataDirectory: source });
  try {
    const api = await setUp(server);
    const upload = await api.upload(await addRepository(api, 'killed'), 'report.json', REPORT, 0);
    assert.equal(upload.status, 202);
    const saved = await command('backup', source, file, '--with-key');
    expect(saved, saved.err).toMatchObject({ code: 0, out: expect.stringMatching(/read back and is whole/) });
    expect(saved.out).toMatch(/keep the file as safe as the key/);
    expect(await command('backup', source, file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/exists already/),
    });
    expect(await command('restore', source, file)).toMatchObject({ code: 1, err: expect.stringMatching(/not empty/) });
    await server.kill();

    const restored = await command('restore', target, file);
    expect(restored, restored.err).toMatchObject({ code: 0, out: expect.stringMatching(/All counts equal/) });
    const again = await startServer({ dataDirectory: target });
    try {
      const later = await signIn(again, ADMIN.username, ADMIN.password);
      const scan = await waitForScan(later, upload.body.data.scan_id);
      expect(scan).toEqual({ status: 'done', total: RESULTS, new: RESULTS });
      expect(await harvest(later)).toEqual(await expected);
      expect(again.errors()).toEqual([]);
    } finally {
      await again.stop();
    }
  } finally {
    await server.stop();
    for (const folder of [source, target]) await removeFolder(folder);
    await rm(path.dirname(file), { recursive: true });
  }
});
