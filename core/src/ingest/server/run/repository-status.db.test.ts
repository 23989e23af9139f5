import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, openReportTools, report } from '../../../testing/line-report.ts';
import { beginAttempt } from '../scans/scan-record.ts';

// Without jobs: what is begun here by hand would be taken up by the one that looks for imports of dead processes.
let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
});
afterAll(() => scene.test.drop());

test('the status of a repository follows its first import, and stays once there are findings', async () => {
  const repositoryId = await scene.addRepository('followed');
  const status = async () =>
    (await scene.rows<{ status: string }>('select status from repositories where id = $1', [repositoryId]))[0]?.status;
  expect(await status()).toBe('queued');
  const broken = await scene.store('scanner', report('BROKEN'), repositoryId);
  expect(await scene.run(broken)).toMatchObject({ outcome: 'failed' });
  expect(await status()).toBe('failed');
  const scanId = await scene.store('scanner', report(code('one', 'd.js', 1, 'q()')), repositoryId);
  const client = await scene.test.owner.connect();
  await beginAttempt(client, { clientId: scene.clientId, scanId, repositoryId });
  client.release();
  expect(await status()).toBe('running');
  expect(await scene.run(scanId)).toMatchObject({ outcome: 'done' });
  expect(await status()).toBe('enriched');
  const brokenLater = await scene.store('scanner', report('?', 'BROKEN'), repositoryId);
  expect(await scene.run(brokenLater)).toMatchObject({ outcome: 'failed' });
  expect(await status()).toBe('enriched');
});
