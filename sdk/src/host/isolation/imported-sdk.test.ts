import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCtx } from '../ctx.ts';
import { createEgressGate, type EgressGate } from '../egress/egress-gate.ts';
import { connectionWith, connectorWith } from '../testing/host-connection.ts';
import { type LocalServer, startServer } from '../testing/local-server.ts';
import { openIsolated } from './open-isolated.ts';

const MANIFEST = `export const plugin = { id: 'harbour', version: '1.0.0', connectors: [{
  id: 'demo-service', title: 'Harbour', category: 'sast', image: '/images/h.svg', description: 'Made for tests.', isConfigured: () => true,
}] };`;

/** What its check says of the error for a service that refuses: whether it is of the class that the code knows. */
const serverWith = (top: string, known: string): string => `${top}
export const server = { pluginId: 'harbour', connectors: { 'demo-service': { check: async (ctx) => {
  ${known}
  try { await ctx.http.json({ path: '/user' }); } catch (error) {
    return { identity: [error instanceof known, error.name, error.code].join(' ') };
  }
} } } };`;

let folder: string;
let service: LocalServer;
let gate: EgressGate;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'breakwater-imported-')));
  service = await startServer((_, response) => response.writeHead(401).end());
  gate = createEgressGate({ allowPrivateHosts: false });
  await writeFile(path.join(folder, 'plugin.mjs'), MANIFEST);
});
afterAll(async () => {
  await gate.close();
  await service.close();
  await rm(folder, { recursive: true });
});

/** What its check says, in the process of a plugin that has this file. */
const saidBy = async (file: string): Promise<unknown> => {
  const manifest = pathToFileURL(path.join(folder, 'plugin.mjs')).href;
  const entries = { manifest, parsers: null, server: pathToFileURL(file).href };
  const { pool, server } = await openIsolated({ entries, readable: [`${folder}/`], isSdkProvided: true });
  const connection = connectionWith({
    connector: connectorWith({ permissions: { egress: ['{{base_url}}'], reveal: [] } }),
    config: { base_url: service.origin },
    baseUrlOverride: new URL(service.origin),
  });
  const ctx = createCtx(gate, connection, { signal: new AbortController().signal });
  const said = await server?.connectors['demo-service']?.check?.(ctx);
  pool.close();
  return said;
};

test.each([
  ['never', '', 'const known = Error;'],
  ['with its modules', "import { ConnectorError } from '@breakwater/sdk';", 'const known = ConnectorError;'],
  ['in a call', '', "const { ConnectorError: known } = await import('@breakwater/sdk');"],
])('a built connector that imports the SDK %s knows the errors of the host', async (when, top, known) => {
  const file = path.join(folder, `${when.replaceAll(' ', '-')}.mjs`);
  await writeFile(file, serverWith(top, known));
  expect(await saidBy(file)).toMatchObject({ identity: 'true ConnectorError auth' });
});

test('one whose own copy of the SDK does not load knows them by their code', async () => {
  const copy = path.join(folder, 'own/node_modules/@breakwater/sdk');
  await mkdir(copy, { recursive: true });
  await writeFile(path.join(copy, 'package.json'), '{"name":"@breakwater/sdk","exports":"./index.mjs"}');
  await writeFile(path.join(copy, 'index.mjs'), "throw new Error('damaged');");
  const file = path.join(folder, 'own/server.mjs');
  await writeFile(file, serverWith("await import('@breakwater/sdk').catch(() => undefined);", 'const known = Error;'));
  expect(await saidBy(file)).toMatchObject({ identity: 'true ConnectorError auth' });
});
