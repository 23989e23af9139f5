import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createPluginRegistry, type LoadedPlugin, withoutConflicts } from '@breakwater/core/shell/plugins/index.ts';
import type { AnyConnector } from '@breakwater/sdk';
import { createCtx, createEgressGate, createMemoryStore, runStep } from '@breakwater/sdk/host';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { discoverPlugins, loadPlugins } from './loader.ts';
import type { PluginEntries } from './plugin-entries.ts';
import { CANARY, type HostilePlugin, hostilePlugins, sourcesOf, type Targets } from './testing/hostile-plugins.ts';

/** Shorter than in earnest, so that a hundred of them take a minute; the ways are the same. */
const LIMITS = {
  startMs: 5_000,
  unresponsiveMs: 1_500,
  silentMs: 1_500,
  recordMs: 1_500,
  stopMs: 500,
  recogniseMs: 1_500,
  records: 20_000,
};
const STEP_MS = 4_000;
/** In `npm run soak -- contained`; beside other tests a process may take as long as that to start. */
const CONTAINED_MS = inject('isAlone') ? 10_000 : 60_000;
// more would wait for each other to start, beside the other tests of the run
const AT_ONCE = 3;

let folder: string;
let targets: Targets;
let connections = 0;
const victim = net.createServer(() => {
  connections += 1;
});
const gate = createEgressGate({ allowPrivateHosts: false });
const outcomes: { name: string; outcome: string; ms: number }[] = [];
const loopDelay = monitorEventLoopDelay();

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'breakwater-hostile-')));
  const loot = path.join(folder, 'loot');
  const secretFile = path.join(folder, 'secret.mjs');
  await mkdir(loot);
  await writeFile(secretFile, `export default '${CANARY}';`);
  process.env['BREAKWATER_HOSTILE_CANARY'] = CANARY;
  await new Promise<void>((resolve) => victim.listen(0, '127.0.0.1', resolve));
  const address = victim.address();
  targets = { port: typeof address === 'object' ? (address?.port ?? 0) : 0, secretFile, loot };
  loopDelay.enable();
});
afterAll(async () => {
  delete process.env['BREAKWATER_HOSTILE_CANARY'];
  victim.close();
  await gate.close();
  await rm(folder, { recursive: true });
});

const writePlugin = async (id: string, hostile: HostilePlugin): Promise<PluginEntries> => {
  const parent = path.join(folder, `of-${id}`);
  const home = path.join(parent, id);
  await mkdir(home, { recursive: true });
  const exports = { '.': './manifest.mjs', './server': './server.mjs', './parsers': './parsers.mjs' };
  await writeFile(path.join(home, 'package.json'), JSON.stringify({ name: id, type: 'module', exports }));
  for (const [name, source] of Object.entries(sourcesOf(id, hostile)))
    await writeFile(path.join(home, `${name}.mjs`), source);
  if (hostile.link !== undefined) await symlink(hostile.link, path.join(home, 'link'));
  const { entries } = await discoverPlugins(parent);
  return entries[0] ?? expect.unreachable('no entry');
};

const ctxOf = (connector: AnyConnector, signal: AbortSignal, config: Readonly<Record<string, string>> = {}) =>
  createCtx(
    gate,
    {
      connector,
      config,
      secret: async () => CANARY,
      store: createMemoryStore(),
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    },
    { signal },
  );

async function* report(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"a":1}');
}

/** Drives every part of the plugin that the host would drive. @returns what came of it */
const drive = async ({ plugin, server, parsers }: LoadedPlugin, hostile: HostilePlugin): Promise<string> => {
  const [connector] = plugin.connectors;
  if (connector === undefined) return 'no connector';
  const code = server?.connectors[connector.id];
  const [parser] = parsers;
  if (hostile.recognise !== undefined && parser !== undefined)
    expect(await parser.recognise(Buffer.from('{'))).toBeTypeOf('number');
  if (hostile.parse === undefined && hostile.recognise !== undefined) return 'not recognised';
  const step = await runStep<unknown>(
    async (signal) => {
      const ctx = ctxOf(connector, signal, hostile.config);
      if (hostile.parse !== undefined) return count(parser?.parse(report(), { signal }));
      return hostile.sync === undefined ? code?.check?.(ctx) : count(code?.findings?.sync(ctx));
    },
    { timeoutMs: STEP_MS },
  );
  if (step.ok) {
    // what it answers is not what it was after
    expect(JSON.stringify(step.value)).not.toContain(CANARY);
    return 'an answer without harm';
  }
  expect(`${step.error.message} ${step.error.help}`).not.toContain(CANARY);
  return `${step.crashed ? 'crash' : step.error.code}: ${step.crashed ? step.error.cause : step.error.message}`;
};

const count = async (records: AsyncIterable<unknown> | undefined): Promise<number> => {
  let seen = 0;
  for await (const _ of records ?? []) seen += 1;
  return seen;
};

const attack = async (hostile: HostilePlugin, index: number): Promise<string> => {
  const entry = await writePlugin(`h${index}`, hostile);
  const needed = { parsers: true, server: true };
  const { plugins, issues } = await loadPlugins([entry], needed, {
    trusted: [],
    mayHaveNetwork: false,
    limits: LIMITS,
  });
  const [loaded] = plugins;
  if (loaded === undefined) return `left out: ${issues[0]?.reason}`;
  const ours: LoadedPlugin = { ...loaded, plugin: { ...loaded.plugin, id: 'ours' }, parsers: [] };
  if (hostile.name === 'manifest: the id of ours') {
    const { conflicts } = withoutConflicts([ours, loaded]);
    return `left out: ${conflicts[0]?.reason}`;
  }
  const registry = createPluginRegistry([loaded]);
  expect(registry.entries()[0]?.trust).toBe('isolated');
  expect(registry.capability('scanner', `h${index}`)).toBeNull();
  return drive(loaded, hostile).finally(() => loaded.close?.());
};

/** Whoever waits meanwhile gets their answer: a request to this process. */
const isAlive = async (): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  setTimeout(() => resolve(true), 1);
  return promise;
};

const within = async (work: Promise<string>): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve('NOT CONTAINED'), CONTAINED_MS);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};

test('no hostile plugin succeeds, and each is contained', async () => {
  const waiting = hostilePlugins(targets).map((hostile, index) => ({ hostile, index }));
  const total = waiting.length;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const startedAt = performance.now();
      const { hostile, index } = next;
      const outcome = await within(attack(hostile, index));
      outcomes.push({ name: hostile.name, outcome, ms: Math.round(performance.now() - startedAt) });
      expect(await isAlive()).toBe(true);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  const line = ({ name, outcome, ms }: (typeof outcomes)[number]) =>
    `${name.padEnd(45)} ${String(ms).padStart(6)} ms  ${outcome.replaceAll('\n', ' ').slice(0, 110)}`;
  const delay = `event loop: p99 ${(loopDelay.percentile(99) / 1e6).toFixed(1)} ms, max ${(loopDelay.max / 1e6).toFixed(0)} ms`;
  process.stdout.write(`${outcomes.map(line).join('\n')}\n${outcomes.length} hostile plugins; ${delay}\n`);

  expect(total).toBeGreaterThanOrEqual(40);
  expect(outcomes).toHaveLength(total);
  expect(outcomes.filter(({ outcome }) => outcome === 'NOT CONTAINED')).toEqual([]);
  // they were run, and not left out for a reason that has nothing to do with them
  expect(outcomes.filter(({ outcome }) => outcome.includes('cut off from the network'))).toEqual([]);
  expect(outcomes.filter(({ outcome }) => outcome.startsWith('left out')).length).toBeLessThan(20);
  expect(await readdir(targets.loot)).toEqual([]);
  expect(connections).toBe(0);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  const left = () => spawnSync('pgrep', ['-f', `allow-fs-read=${folder}`], { encoding: 'utf8' }).stdout.trim();
  await expect.poll(left, { timeout: 10_000 }).toBe('');
}, 300_000);
