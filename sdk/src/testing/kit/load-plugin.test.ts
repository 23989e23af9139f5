import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { printReport } from './print-report.ts';
import { runKit } from './run-kit.ts';

const BIN = join(import.meta.dirname, '../../../bin/breakwater-connector.ts');
const CARD = {
  id: 'demo',
  title: 'Demo',
  category: 'sast',
  image: '/images/demo.svg',
  description: 'Finds insecure code.',
  documentation: 'https://demo.example/docs',
};
const manifest = (...cards: unknown[]) =>
  `export const plugin = ${JSON.stringify({ id: 'demo', version: '1.0.0', connectors: cards })};`;
const ENTRIES = { '.': './plugin.mjs', './server': './server.mjs' };
const SERVER = `export const server = { pluginId: 'demo', connectors: { demo: {
  check: async ({ http }) => ({ identity: String((await http.request({ path: '/me' })).status) }) } } };`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-kit-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (files: Record<string, string>) => {
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
};
const packageOf = (exports: unknown) => JSON.stringify({ name: 'demo', type: 'module', exports });

describe('a folder', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ['without package.json', {}, /package\.json: cannot be read: ENOENT/],
    ['whose package.json is no JSON', { 'package.json': '{' }, /package\.json: cannot be read/],
    ['that names no manifest', { 'package.json': packageOf({}) }, /exports\["\."\]: names no manifest/],
    [
      'whose manifest throws',
      { 'package.json': packageOf(ENTRIES), 'plugin.mjs': 'throw new Error("no licence");' },
      /plugin\.mjs: cannot be imported: no licence/,
    ],
    [
      'that exports something else',
      { 'package.json': packageOf(ENTRIES), 'plugin.mjs': 'export const card = 1;' },
      /exports no "plugin"/,
    ],
    [
      'with a broken manifest',
      { 'package.json': packageOf({ '.': './plugin.mjs' }), 'plugin.mjs': manifest({ ...CARD, category: 'scm' }) },
      /plugin "demo", connector "demo", field "category": must be one of/,
    ],
    [
      'whose server was not made by defineServer',
      { 'package.json': packageOf(ENTRIES), 'plugin.mjs': manifest(CARD), 'server.mjs': 'export const server = 7;' },
      /"server" was not made by defineServer/,
    ],
    [
      'whose import connects',
      {
        'package.json': packageOf({ '.': './plugin.mjs' }),
        'plugin.mjs': `import { connect } from 'node:net'; connect(443, 'evil.example').on('error', () => {}); ${manifest(CARD)}`,
      },
      /importing the plugin connects to evil\.example:443/,
    ],
    [
      'whose fixtures are no JSON',
      { 'package.json': packageOf({ '.': './plugin.mjs' }), 'plugin.mjs': manifest(CARD), 'conformance.json': '{,}' },
      /conformance\.json: .*JSON/,
    ],
    [
      'whose fixtures have an unknown field',
      {
        'package.json': packageOf({ '.': './plugin.mjs' }),
        'plugin.mjs': manifest(CARD),
        'conformance.json': '{"connectors":{"demo":{"exchanges":[{"request":{"url":"/x"},"answer":{}}]}}}',
      },
      /connectors\.demo\.exchanges\.0\.request\.path: is missing[\s\S]*request\.url: is not a known field/,
    ],
    [
      'whose fixtures name what the manifest does not',
      {
        'package.json': packageOf({ '.': './plugin.mjs' }),
        'plugin.mjs': manifest(CARD),
        'conformance.json': JSON.stringify({
          connectors: {
            other: {},
            demo: {
              credentials: { token: 'x' },
              exchanges: [{ request: { path: '/x', service: 'login' }, answer: { body: 1, text: 'one' } }],
            },
          },
        }),
      },
      /no connector of this id[\s\S]*no such field[\s\S]*no service "login"[\s\S]*only one of body, text and file/,
    ],
  ])('%s says what is wrong, and reaches nothing', async (_, files, expected) => {
    await write(files);
    const report = await runKit(folder);
    expect(report.issues.map(({ where, what }) => `${where}: ${what}`).join('\n')).toMatch(expected);
    expect(report.connectors.every(({ tier }) => tier === 'none')).toBe(true);
    expect(printReport(report)).toContain('✗ plugin: ');
  });

  it('with a fixture file that is not there says which', async () => {
    const exchanges = [{ request: { path: '/me' }, answer: { file: 'answers/me.json' } }];
    const fixtures = { connectors: { demo: { exchanges } } };
    const card = { ...CARD, baseUrl: 'https://demo.example', permissions: { egress: ['demo.example'] } };
    await write({
      'package.json': packageOf(ENTRIES),
      'plugin.mjs': manifest(card),
      'server.mjs': SERVER,
      'conformance.json': JSON.stringify(fixtures),
    });
    expect(printReport(await runKit(folder))).toMatch(/demo, bronze, check: ENOENT.*answers\/me\.json/);
  });
});

describe('breakwater-connector', () => {
  const call = (...args: string[]) => spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8' });

  it('ends with 0 when the tier is reached, and reports to programs the same as to people', async () => {
    await write({ 'package.json': packageOf({ '.': './plugin.mjs' }), 'plugin.mjs': manifest(CARD) });
    const { status, stdout } = call('test', folder, '--tier', 'silver');
    expect(stdout).toContain('demo  bronze  ✓ card 1  ✓ form 0   silver: not applicable, talks to no service');
    expect(stdout).toContain('Note: types were not checked: no TypeScript.');
    expect(status).toBe(0);
    const report = JSON.parse(call('test', folder, '--json').stdout);
    expect(report).toMatchObject({ isReached: true, connectors: [{ id: 'demo', tier: 'bronze' }] });
  });

  it('survives what a connector leaves behind, and reports it', async () => {
    const server = `export const server = { pluginId: 'demo', connectors: { demo: { check: async ({ http }) => {
      Promise.reject(new Error('nobody waits'));
      const { login } = Object(await http.json({ path: '/me' }));
      return { identity: login };
    } } } };`;
    await write({
      'package.json': packageOf(ENTRIES),
      'plugin.mjs': manifest({ ...CARD, baseUrl: 'https://demo.example', permissions: { egress: ['demo.example'] } }),
      'server.mjs': server,
      'conformance.json': JSON.stringify({
        connectors: { demo: { exchanges: [{ request: { path: '/me' }, answer: { body: { login: 'ada' } } }] } },
      }),
    });
    const { status, stdout } = call('test', folder, '--tier', 'silver');
    expect(stdout).toContain(
      'demo, silver, loose ends: something fails after its operation has ended: Error: nobody waits',
    );
    expect(status).toBe(1);
  });

  it('ends with 1 when it is not, and with 2 when called wrongly', async () => {
    await write({
      'package.json': packageOf({ '.': './plugin.mjs' }),
      'plugin.mjs': manifest({ ...CARD, description: 'no' }),
    });
    expect(call('test', folder)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('description is no sentence'),
    });
    expect(call('test', folder, '--tier', 'platinum')).toMatchObject({ status: 2 });
    expect(call('check')).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage:') });
    expect(call('test', '--loud')).toMatchObject({ status: 2 });
  });
});
