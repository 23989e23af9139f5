import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { emptyFolder, removeFolder } from '../harness/server.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Started {
  /** What it printed until it was ready. */
  output: string;
  url: string;
  stop(): Promise<number | null>;
}

/** Runs `npm start` as a person would, on an empty data folder. */
const npmStart = async (...args: string[]): Promise<Started> => {
  const dataDirectory = await emptyFolder();
  cleanups.push(() => removeFolder(dataDirectory));
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('npm', ['start', '--', ...args], {
    cwd: ROOT,
    env: { PATH, HOME, PORT: '0', BREAKWATER_DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let isGone = false;
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      isGone = true;
      resolve(code);
    });
  });
  const stop = async (): Promise<number | null> => {
    if (!isGone && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    return gone;
  };
  cleanups.push(stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const deadline = Date.now() + 120_000;
  for (;;) {
    const url = /https?:\/\/[^\s/]+:\d+/.exec(output)?.[0];
    if (
      url !== undefined &&
      (await fetch(`${url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      ))
    )
      return { output, url, stop };
    if (isGone || Date.now() > deadline) throw new Error(`npm start is not ready:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

test('npm start on an empty folder prints one address, and there is a page behind it', async () => {
  const { output, url, stop } = await npmStart();
  expect(output.match(/https?:\/\//g)).toHaveLength(1);
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<title>Breakwater</title>');
  const setup = await fetch(`${url}/api/v1/setup`);
  expect(await setup.json()).toEqual({ data: { needed: true } });
  await stop();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
