import { spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const MODULE = pathToFileURL(path.join(import.meta.dirname, 'thread-watch.ts')).href;

/** Runs a script that watches its own thread. @returns how it ended, and what it printed as errors */
const run = (work: string, limitMs: number): Promise<{ signal: string | null; said: string }> => {
  const script = `import { watchThread } from ${JSON.stringify(MODULE)};
    watchThread(${limitMs}).at('harbour.test.ts');
    ${work}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said += piece;
  });
  return new Promise((resolve) => child.once('close', (_code, signal) => resolve({ signal, said })));
};

const SPINS =
  'async function spins() { for (;;) { await null; for (let times = 0; times < 1e5; times += 1); } }\nawait new Promise((done) => setTimeout(done, 500));\n';

test('a thread that spins in promises, where no timer fires, is ended with its file and its place', async () => {
  const { signal, said } = await run(`${SPINS}await spins();`, 1_000);
  expect(signal).toBe('SIGKILL');
  expect(said).toContain('harbour.test.ts: nothing else ran for 1000 ms');
  expect(said).toContain('at spins (');
});

test('so is one that loops', async () => {
  const { signal, said } = await run(
    'await new Promise((done) => setTimeout(done, 500)); (function loops() { for (;;); })();',
    1_000,
  );
  expect(signal).toBe('SIGKILL');
  expect(said).toContain('at loops (');
});

test('one that waits longer than the limit, or works with pauses, ends by itself', async () => {
  const work = `for (let turn = 0; turn < 10; turn += 1) await new Promise((done) => setTimeout(done, 450));`;
  expect(await run(work, 4_000)).toEqual({ signal: null, said: '' });
});
