import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, setUp } from '../../e2e/harness/api.ts';
import { removeFolder, startServer } from '../../e2e/harness/server.ts';

/**
 * What people wait for while plugins misbehave: pairs of a calm window and a hostile one, so that a machine whose speed changes does so in
 * both; which comes first is drawn, so that what the server does every half minute falls into both alike. In each, three people connect
 * plugins every two seconds; in a hostile window the plugins loop, eat memory, end themselves, flood their host or never answer, in a calm
 * one they answer. Fails where the median of the ratios of the p99 of the hostile window of a pair to that of the calm one is above 1.1. The
 * p99 of one window is its eighth slowest request and varies by a tenth by itself: hence so many pairs. Arguments: how many (24), names of kinds (all).
 */
const [rounds = '24', ...kinds] = process.argv.slice(2);
const ROUNDS = Number(rounds);
const WINDOW_MS = 12_000;
const LIMIT = 1.1;
const AT_ONCE = 3;
const DRAWS = 1_000;
const PAUSE_MS = 10;
const CONNECT_EVERY_MS = 2_000;

const ROUTES = ['/connectors', '/findings', '/session', '/repositories'];

const CALM = 'calm';
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
  for (const [id, check] of [...Object.entries(HOSTILE), [CALM, "return { identity: 'ada' };"] as const]) {
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

/** Reads one answer to its end, and nothing more: what it holds is not looked at, which would take the processors from whom is measured. @returns its status */
const read = (api: ApiClient, route: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${api.token}`, 'accept-encoding': 'br' };
    const asking = get(`${server.url}/api/v1${route}`, { agent, headers }, (answer) => {
      answer.on('end', () => resolve(answer.statusCode ?? 0)).resume();
    });
    asking.once('error', reject);
  });

/** One request after the other until the end of the window. @returns milliseconds of each */
const measure = async (api: ApiClient, until: number): Promise<number[]> => {
  const spent: number[] = [];
  for (let turn = 0; Date.now() < until; turn += 1) {
    const route = ROUTES[turn % ROUTES.length] ?? '/session';
    const start = performance.now();
    const status = await read(api, route);
    if (status !== 200) throw new Error(`${route} answered ${status}`);
    spent.push(performance.now() - start);
    await sleep(PAUSE_MS);
  }
  return spent;
};

const longest: number[] = [];

/** Connects plugins again and again; one in quarantine is released. */
const connectInTurn = async (api: ApiClient, order: { ids: readonly string[]; first: number; until: number }) => {
  for (let turn = order.first; Date.now() < order.until; turn += 1) {
    const id = order.ids[turn % order.ids.length] ?? CALM;
    const next = sleep(CONNECT_EVERY_MS);
    await api.call('POST', `/connectors/${id}/release`);
    const start = performance.now();
    await api.call('PUT', `/connectors/${id}`, { values: { token: `token-of-soak-${turn}` } });
    if (id !== CALM) longest.push(performance.now() - start);
    await next;
  }
};

/** One window, with plugins that are connected meanwhile. @returns milliseconds of each request beside them */
const measureBeside = async (api: ApiClient, ids: readonly string[], round: number): Promise<number[]> => {
  const until = Date.now() + WINDOW_MS;
  const people = Array.from({ length: AT_ONCE }, (_, index) =>
    connectInTurn(api, { ids, first: round + 2 * index, until }),
  );
  const spent = await measure(api, until);
  await Promise.all(people);
  // what still ends is not of the next window
  await sleep(2_000);
  return spent;
};

const folder = await mkdtemp(path.join(tmpdir(), 'breakwater-hostile-'));
await writePlugins(folder);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const server = await startServer({ environment: { BREAKWATER_PLUGINS_DIR: folder } });
try {
  const api = await setUp(server);
  await measureBeside(api, [CALM], 0);
  const calm: number[][] = [];
  const hostile: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const pair = [
      async () => calm.push(await measureBeside(api, [CALM], round)),
      async () => hostile.push(await measureBeside(api, kinds.length > 0 ? kinds : Object.keys(HOSTILE), round)),
    ];
    const isHostileFirst = Math.random() < 0.5;
    for (const window of isHostileFirst ? pair.toReversed() : pair) await window();
    const [beside, under] = [calm, hostile].map((windows) => quantile(windows.at(-1) ?? [], 0.99).toFixed(1));
    say(`pair ${round + 1}: calm p99 ${beside} ms, hostile p99 ${under} ms${isHostileFirst ? ' (first)' : ''}`);
  }
  const p99 = (windows: readonly number[][]): number[] => windows.map((window) => quantile(window, 0.99));
  const ratios = p99(hostile).map((value, round) => value / (p99(calm)[round] ?? value));
  const ratio = quantile(ratios, 0.5);
  const rounded = (value: number): number => Number(value.toFixed(1));
  // pairs drawn again and again: how far the ratio of all windows together could lie by chance
  const drawn = Array.from({ length: DRAWS }, () => {
    const rounds = Array.from({ length: ROUNDS }, () => Math.floor(Math.random() * ROUNDS));
    const [before = 0, after = 0] = [calm, hostile].map((windows) =>
      quantile(
        rounds.flatMap((round) => windows[round] ?? []),
        0.99,
      ),
    );
    return after / before;
  });
  const both = (share: number): number[] => [calm, hostile].map((windows) => rounded(quantile(windows.flat(), share)));
  say(
    JSON.stringify({
      soak: 'hostile',
      requests: [calm.flat().length, hostile.flat().length],
      p50_ms: both(0.5),
      p99_ms: both(0.99),
      calm_windows_p99_ms: [Math.min(...p99(calm)), Math.max(...p99(calm))].map(rounded),
      median_ratio: Number(ratio.toFixed(3)),
      limit: LIMIT,
      p99_ratio_90_percent: [0.05, 0.95].map((share) => Number(quantile(drawn, share).toFixed(3))),
      attacks: longest.length,
      longest_attack_ms: Math.round(Math.max(...longest)),
    }),
  );
  process.exitCode = ratio <= LIMIT && longest.length > 0 ? 0 : 1;
} finally {
  agent.destroy();
  await server.stop();
  await removeFolder(server.dataDirectory);
  await rm(folder, { recursive: true });
}
