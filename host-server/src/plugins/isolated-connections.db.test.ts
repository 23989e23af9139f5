import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ConnectorScene, startConnectorScene } from '@breakwater/core/testing/connectors/connector-scene.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const card = (id: string) => `export const plugin = { id: '${id}', version: '1.0.0', connectors: [{
  id: '${id}', title: '${id}', category: 'sast', image: '/images/x.svg', description: 'Made for tests.',
  credentials: { type: 'object', required: ['token'], properties: { token: { type: 'string', title: 'Token', writeOnly: true } } },
  auth: { type: 'bearer', value: '{{token}}' }, baseUrl: 'https://api.example.com', permissions: { egress: ['api.example.com'] },
}] };`;
const server = (id: string, check: string) =>
  `export const server = { pluginId: '${id}', connectors: { '${id}': { check: async (ctx) => { ${check} } } } };`;

let folder: string;
let scene: ConnectorScene;

const write = async (id: string, check: string): Promise<void> => {
  const home = path.join(folder, id);
  await mkdir(home);
  const exports = { '.': './plugin.mjs', './server': './server.mjs' };
  await writeFile(path.join(home, 'package.json'), JSON.stringify({ name: id, type: 'module', exports }));
  await writeFile(path.join(home, 'plugin.mjs'), card(id));
  await writeFile(path.join(home, 'server.mjs'), server(id, check));
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'breakwater-strangers-'));
  await write('calm', "await ctx.store.set('seen', 1); return { identity: String(await ctx.store.get('seen')) };");
  await write('wild', 'process.exit(1);');
  scene = await startConnectorScene({ environment: { BREAKWATER_PLUGINS_DIR: folder } });
});
afterAll(async () => {
  await scene.close();
  await rm(folder, { recursive: true });
});

test('a plugin that ends its process costs its own card alone, and goes into quarantine until an admin releases it', async () => {
  const save = (id: string) => scene.save(id, { token: 'token-of-tests-1234' });
  for (const expected of ['open', 'open', 'quarantined']) {
    const { attributes } = (await save('wild')).body.data;
    expect(attributes).toMatchObject({ plugin: { trust: 'isolated' }, state: 'retrying', gate: { state: expected } });
    expect(attributes.state_detail.message).toBe('The process of this plugin ended before it had answered.');
  }
  const { attributes: calm } = (await save('calm')).body.data;
  expect(calm).toMatchObject({ state: 'connected', state_detail: { identity: '1' }, gate: { state: 'open' } });
  const refused = await scene.call('POST', 'wild', '/check');
  expect(refused.body.detail).toContain('quarantine');
  const released = await scene.call('POST', 'wild', '/release');
  expect(released.body.data.attributes.gate.state).toBe('open');
});
