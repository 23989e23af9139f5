import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, setUp } from '../../e2e/harness/api.ts';
import { removeFolder, startServer } from '../../e2e/harness/server.ts';

/**
 * What people wait for while plugins misbehave: quiet windows and hostile ones by turns, so that a machine whose speed changes does so in
 * both. In a hostile window three plugins at a time loop, eat memory, end themselves, flood their host or never answer. Fails where the p99
 * of the hostile windows is more than a tenth above that of the quiet ones. Argument: how many pairs of windows (10).
 */
const ROUNDS = Number(process.argv[2] ?? 10);
const WINDOW_MS = 12_000;
const LIMIT = 1.1;
const AT_ONCE = 3;
const PAUSE_MS = 20;

const ROUTES = ['/connectors', '/findings', '/session', '/repositories'];

const HOSTILE: Readonly<Record<string, string>> = {
  loops: 'for (;;);',
  eats: 'const all = []; for (;;) all.push(new Array(1e5).fill(String(Math.random())));',
  ends: 'process.exit(1);',
  floods: "for (;;) { process.stdout.write('x'.repeat(65536)); await new Promise((y) => setImmediate(y)); }",
  silent: 'await new Promise(() => setInterval(() => 0, 1000));',
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const card = (id: string): string => `export const plugin = { id: '${id}', version: '1.0.0', connectors: [{
  id: '${id}', title: '${id}', category: 'sast', image: '/images/x.svg', description: 'Made for a soak run.',
  credentials: { type: 'object', required: ['token'], properties: { token: { type: 'string', title: 'Token', writeOnly: true } } },
  auth: { type: 'bearer', value: '{{token}}' }, baseUrl: 'https://api.example.com', permissions: { egress: ['api.example.com'] },
}] };`;

const writePlugins = async (folder: string): Promise<void> => {
  for (const [id, check] of Object.entries(HOSTILE)) {
    const home = path.join(folder, id);
    await mkdir(home);
    const exports = { '.': './plugin.mjs', './server': './server.mjs' };
    await writeFile(path.join(home, 'package.json'), JSON.stringify({ name: id, type: 'module', exports }));
    await writeFile(path.join(home, 'plugin.mjs'), card(id));
    const server = `{ pluginId: '${id}', connectors: { '${id}': { check: async () => { ${check} } } } }`;
    await writeFile(path.join(home, 'server.mjs'), `export const server = ${server};`);
  }
};

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** One request after the other until the end of the window. @returns milliseconds of each */
const measure = async (api: ApiClient, until: number): Promise<number[]> => {
  const spent: number[] = [];
  for (let turn = 0; Date.now() < until; turn += 1) {
    const start = performance.now();
    const { status } = await api.get(ROUTES[turn % ROUTES.length] ?? '/session');
    if (status !== 200) throw new Error(`${ROUTES[turn % ROUTES.length]} answered ${status}`);
    spent.push(performance.now() - start);
    await sleep(PAUSE_MS);
  }
  return spent;
};

const longest: number[] = [];

/** Connects hostile plugins again and again; one in quarantine is released. */
const attack = async (api: ApiClient, first: number, until: number): Promise<void> => {
  const ids = Object.keys(HOSTILE);
  for (let turn = first; Date.now() < until; turn += 1) {
    const id = ids[turn % ids.length] ?? 'loops';
    await api.call('POST', `/connectors/${id}/release`);
    const start = performance.now();
    await api.call('PUT', `/connectors/${id}`, { values: { token: `token-of-soak-${turn}` } });
    longest.push(performance.now() - start);
  }
};

const folder = await mkdtemp(path.join(tmpdir(), 'breakwater-hostile-'));
await writePlugins(folder);
const server = await startServer({ environment: { BREAKWATER_PLUGINS_DIR: folder } });
try {
  const api = await setUp(server);
  await measure(api, Date.now() + WINDOW_MS);
  const quiet: number[][] = [];
  const hostile: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await measure(api, Date.now() + WINDOW_MS));
    const until = Date.now() + WINDOW_MS;
    const attacks = Array.from({ length: AT_ONCE }, (_, index) => attack(api, round + 2 * index, until));
    hostile.push(await measure(api, until));
    await Promise.all(attacks);
    // what still ends is not of the next window
    await sleep(2_000);
    say(
      `round ${round + 1}: quiet p99 ${quantile(quiet.at(-1) ?? [], 0.99).toFixed(1)} ms, hostile p99 ${quantile(hostile.at(-1) ?? [], 0.99).toFixed(1)} ms`,
    );
  }
  const [before, after] = [quantile(quiet.flat(), 0.99), quantile(hostile.flat(), 0.99)];
  const windows = quiet.map((window) => quantile(window, 0.99));
  const result = {
    soak: 'hostile',
    requests: [quiet.flat().length, hostile.flat().length],
    p50_ms: [quantile(quiet.flat(), 0.5), quantile(hostile.flat(), 0.5)].map((value) => Number(value.toFixed(1))),
    p99_ms: [before, after].map((value) => Number(value.toFixed(1))),
    quiet_windows_p99_ms: [Math.min(...windows), Math.max(...windows)].map((value) => Number(value.toFixed(1))),
    ratio: Number((after / before).toFixed(3)),
    limit: LIMIT,
    attacks: longest.length,
    longest_attack_ms: Math.round(Math.max(...longest)),
  };
  say(JSON.stringify(result));
  process.exitCode = after <= before * LIMIT && longest.length > 0 ? 0 : 1;
} finally {
  await server.stop();
  await removeFolder(server.dataDirectory);
  await rm(folder, { recursive: true });
}
