import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packBuild, writeBuild } from '@breakwater/core/testing/connectors/plugin-build.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { SERVICE } from '../../container.ts';
import { installConfigured } from './configured-plugins.ts';

let folder: string;
let registry: Server;
let server: TestServer;
let asked = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'breakwater-folder-'));
  await writeBuild(path.join(folder, 'pier-scan'), { id: 'pier-scan', version: '1.0.0' });
  await writeBuild(path.join(folder, 'changed'), { id: 'changed-scan', version: '1.0.0' });
  await writeFile(path.join(folder, 'changed', 'connector.js'), 'export const plugin = 1;');
  const archive = await packBuild({ id: 'buoy-scan', version: '2.0.0' });
  registry = createServer((request, response) => {
    asked += 1;
    const { port } = registry.address() as AddressInfo;
    if (request.url?.endsWith('.tgz')) return void response.end(archive);
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    response.end(JSON.stringify({ version: '2.0.0', dist: { tarball: `http://127.0.0.1:${port}/a.tgz`, integrity } }));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const { port } = registry.address() as AddressInfo;
  server = await startTestServer({
    isWorking: true,
    environment: {
      BREAKWATER_PLUGINS_DIR: folder,
      BREAKWATER_PLUGINS: '@acme/buoy@2.0.0',
      NPM_REGISTRY_BASE_URL: `http://127.0.0.1:${port}/`,
    },
  });
});
afterAll(async () => {
  await server.close();
  registry.closeAllConnections();
  registry.close();
  await rm(folder, { recursive: true });
});

const look = () =>
  installConfigured({
    database: server.scene.database,
    pluginInstaller: server.container.get(SERVICE.pluginInstaller),
    configuredPlugins: server.container.get(SERVICE.config),
    log: server.container.get(SERVICE.log),
  });
const listed = async (): Promise<Record<string, string[]>> => {
  const { body } = await server.call('GET', '/platform/plugins', { as: 'superadmin' });
  type Plugin = { _id: string; attributes: { source: string; versions: { version: string }[] } };
  return Object.fromEntries(
    body.data.map(({ _id, attributes }: Plugin) => [
      _id,
      [attributes.source, ...attributes.versions.map(({ version }) => version)],
    ]),
  );
};

test('builds of the folder and packages that are named are installed while the server runs, for organisations to enable', async () => {
  await expect
    .poll(listed, { timeout: 60_000 })
    .toEqual({ 'buoy-scan': ['npm:@acme/buoy@2.0.0', '2.0.0'], 'pier-scan': ['folder:pier-scan', '1.0.0'] });
  const left = server.logs.filter((line) => line.includes('a plugin was not installed'));
  expect(left).toHaveLength(1);
  expect(left[0]).toMatch(/folder:changed.*connector\.js was changed/);
  // nobody has it before an admin enables it
  const { body } = await server.call('GET', '/connectors', { as: 'admin' });
  expect(JSON.stringify(body)).not.toContain('Pier Scan');
});

test('what is laid into the folder later is found, what is there is not read again, and a registry is asked once', async () => {
  const before = asked;
  await writeBuild(path.join(folder, 'pier-scan'), { id: 'pier-scan', version: '1.1.0' });
  await writeFile(path.join(folder, 'mast.tgz'), await packBuild({ id: 'mast-scan', version: '1.0.0' }));
  await look();
  expect(await listed()).toMatchObject({
    'pier-scan': ['folder:pier-scan', '1.1.0', '1.0.0'],
    'mast-scan': ['folder:mast.tgz', '1.0.0'],
  });
  await look();
  expect(asked).toBe(before);
  expect(server.logs.filter((line) => line.includes('a plugin was not installed'))).toHaveLength(1);
});

test('a link in the folder gives nothing away', async () => {
  const home = path.join(folder, 'linked');
  await mkdir(home);
  await writeBuild(home, { id: 'linked-scan', version: '1.0.0' });
  await rm(path.join(home, 'README.md'));
  await symlink('/etc/passwd', path.join(home, 'README.md'));
  await writeBuild(path.join(folder, 'led-away'), {
    id: 'led-scan',
    version: '1.0.0',
    listed: { 'etc/hostname': 'x' },
  });
  await rm(path.join(folder, 'led-away/etc'), { recursive: true });
  await symlink('/etc', path.join(folder, 'led-away/etc'));
  await look();
  expect(Object.keys(await listed())).not.toContain('linked-scan');
  expect(server.logs.filter((line) => line.includes('folder:led-away')).join()).toMatch(/etc\/hostname is no file/);
  expect(server.logs.filter((line) => line.includes('folder:linked')).join()).toMatch(/README\.md is no file/);
});

test('what would come back by itself is not uninstalled', async () => {
  const remove = (id: string) => server.call('DELETE', `/platform/plugins/${id}`, { as: 'superadmin' });
  expect((await remove('buoy-scan')).body.detail).toMatch(/BREAKWATER_PLUGINS/);
  expect((await remove('mast-scan')).body.detail).toMatch(/BREAKWATER_PLUGINS_DIR/);
  await rm(path.join(folder, 'mast.tgz'));
  expect((await remove('mast-scan')).status).toBe(200);
  await look();
  expect(Object.keys(await listed())).not.toContain('mast-scan');
});
