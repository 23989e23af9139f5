import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, lookAt, newVisitor, type Visitor } from '../harness/browser.ts';
import { ROOT } from '../harness/server.ts';

/** What `breakwater-connector dev` shows its author, in a real browser: the sample of the page about views. */

const SAMPLE = /^```(?:ts|json|html) (\S+\.\w+)\n(.*?)^```/gms;

let folder: string;
let dev: ChildProcess;
let browser: Browser;
let visitor: Visitor;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-dev-'));
  const guide = await readFile(path.join(ROOT, 'docs/connectors/views.md'), 'utf8');
  const entry = './src/connector.ts';
  const files = [...guide.matchAll(SAMPLE)].map(([, file = '', content = '']) => [file, content] as const);
  const own = { name: 'sample', type: 'module', exports: { '.': entry, './server': entry } };
  for (const [file, content] of [...files, ['package.json', JSON.stringify(own)] as const]) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const command = [path.join(ROOT, 'sdk/bin/breakwater-connector.ts'), 'dev', folder];
  dev = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = new Promise<string>((resolve) => dev.stdout?.once('data', (text) => resolve(String(text).trim())));
  browser = await launchBrowser();
  visitor = await newVisitor(browser, await said);
});
afterAll(async () => {
  await browser?.close();
  dev?.kill('SIGTERM');
  await rm(folder, { recursive: true });
});

test('the view gets the recorded answers, follows the colours of the page, and is shown anew when its file changes', async () => {
  const { page } = visitor;
  await page.goto('/');
  const view = page.frameLocator('iframe');
  await view.getByText('1 projects of all teams').waitFor();
  await lookAt(page, 'connector-dev');
  const root = view.locator(':root');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => root.getAttribute('data-theme')).toBe('dark');
  const file = path.join(folder, 'view/index.html');
  await writeFile(file, (await readFile(file, 'utf8')).replace("'GET /projects'", "'GET /ships'"));
  await view.getByText('The connector has no route GET /ships.').waitFor();
  // a refused call is an answer, and the browser reports its status
  visitor.expectTrouble(/422/);
  visitor.assertCalm();
});
