import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pierWatchFiles } from '@breakwater/core/testing/connectors/pier-watch-files.ts';
import { writeBuild } from '@breakwater/core/testing/connectors/plugin-build.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRegistry, pluginFolders } from './open-registry.ts';

let folder: string;
let home: string;
let document: string;

const digestOf = (text: string) => ({
  bytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
});

/** A built connector without code: its document and the manifest of the build. */
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'breakwater-builds-'));
  home = path.join(folder, 'pier-watch');
  document = JSON.stringify((await pierWatchFiles()).document);
  const hosts = ['api.pier.example'];
  const manifest = {
    format: 1,
    id: 'pier-watch',
    version: '1.0.0',
    publisher: 'Pier Ltd',
    kind: 'document',
    sdk: { api: '1', range: '^0.1.0' },
    tier: 'silver',
    permissions: { hosts, reveals: [] },
    connectors: [
      {
        id: 'pier-watch',
        title: 'Pier Watch',
        category: 'sca',
        tier: 'silver',
        silverNotApplicable: null,
        capabilities: ['check', 'findings'],
        hosts,
        reveals: [],
      },
    ],
    importers: [],
    files: [{ path: 'connector.json', ...digestOf(document) }],
  };
  await mkdir(home);
  await writeFile(path.join(home, 'connector.json'), document);
  await writeFile(path.join(home, 'breakwater-build.json'), JSON.stringify(manifest));
});
afterEach(() => rm(folder, { recursive: true }));

const open = async () => {
  const settings = { pluginsDirectory: folder, trustedPlugins: ['pier-watch'], canPluginsHaveNetwork: false };
  const { registry, issues, close } = await openRegistry(
    { parsers: false, server: false },
    pluginFolders(settings).slice(1),
  );
  close();
  return { entry: registry.entry('pier-watch'), reasons: issues.map(({ reason }) => reason) };
};

test('a build that is as it was made shows its card', async () => {
  const { entry, reasons } = await open();
  expect(reasons).toEqual([]);
  expect(entry).toMatchObject({ trust: 'trusted', connector: { title: 'Pier Watch' } });
});

test.each<[string, () => Promise<void>, RegExp]>([
  [
    'a file that was changed',
    () => writeFile(path.join(home, 'connector.json'), document.replace('v1', 'v2')),
    /connector\.json was changed/,
  ],
  ['a file that was added', () => writeFile(path.join(home, 'more.js'), 'export {};'), /more\.js is not in/],
  [
    'a file that is gone',
    () =>
      rm(path.join(home, 'connector.json')).then(() =>
        writeFile(path.join(home, 'package.json'), '{"exports":{".":"./x.js"}}'),
      ),
    /not in|missing/,
  ],
  ['a manifest that is none', () => writeFile(path.join(home, 'breakwater-build.json'), '{'), /cannot be read/],
])('%s leaves it out, with the reason', async (_case, change, reason) => {
  await change();
  const { entry, reasons } = await open();
  expect(entry).toBeNull();
  expect(reasons).toEqual([expect.stringMatching(/is not what was built/)]);
  expect(reasons[0]).toMatch(reason);
});

test('a build that reads reports waits for organisations, except where the operator trusts it', async () => {
  const place = path.join(folder, 'gauge');
  await writeBuild(place, { id: 'gauge-scan', version: '1.0.0', tool: 'gauge' });
  const openWith = async (trustedPlugins: string[]) => {
    const settings = { pluginsDirectory: folder, trustedPlugins, canPluginsHaveNetwork: false };
    return openRegistry({ parsers: true, server: true }, pluginFolders(settings).slice(1));
  };
  const opened = await openWith([]);
  expect(opened.issues).toEqual([]);
  expect(opened.registry.entries()).toEqual([]);
  opened.close();
  const trusting = await openWith(['gauge']);
  expect(trusting.registry.entry('gauge-scan')).toMatchObject({ trust: 'trusted' });
  expect((await trusting.registry.recogniseTool(new TextEncoder().encode('gauge:\nR1\n')))?.tool).toBe('gauge');
  trusting.close();
});
