import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { packSdk } from '../../tools/packages/pack-sdk.ts';
import { installAlone, returnBorrowed } from '../../tools/packages/sandbox.ts';
import { ADMIN, setUp } from '../harness/api.ts';
import { launchBrowser, newVisitor } from '../harness/browser.ts';
import { signInOnScreen } from '../harness/screens.ts';
import { emptyFolder, ROOT, removeFolder, startServer } from '../harness/server.ts';
import { createTimer, KEY, node, startVendor } from './vendor.ts';

const NAME = 'acme-scan';
const TITLE = 'Acme Scan';
const KIT = 'node_modules/@breakwater/sdk/lib/bin/breakwater-connector.js';

/** What the proof came to. */
export interface Proof {
  /** Machine time of each step and of all of them, in seconds. */
  readonly seconds: Readonly<Record<string, number>>;
  /** Lines of the connector's code. */
  readonly lines: number;
  readonly files: readonly string[];
  /** Last line of the kit. */
  readonly verdict: string;
  /** What the card says in the end. */
  readonly card: string;
}

/** Finds the card, enters the key and waits until the card says that it is connected. */
const connect = async (page: Page): Promise<string> => {
  await page.goto('/connector/tools');
  await page.getByLabel('Search connectors').fill(TITLE);
  await page.getByRole('link', { name: TITLE, exact: true }).click();
  await page.getByLabel('API key').fill(KEY);
  await page.getByRole('button', { name: 'Check and save' }).click();
  const card = page.getByRole('article', { name: TITLE });
  await card.getByText('Connected', { exact: true }).waitFor();
  return card.innerText();
};

/** A working card in Chromium, from the folder of a scaffolded connector. */
const show = async (plugins: string): Promise<string> => {
  const vendor = await startVendor();
  const server = await startServer({
    environment: { BREAKWATER_PLUGINS_DIR: plugins, ACME_SCAN_BASE_URL: vendor.url },
  });
  const browser = await launchBrowser();
  try {
    await setUp(server);
    const { page } = await newVisitor(browser, server.url);
    await page.goto('/login');
    await signInOnScreen(page, ADMIN.username, ADMIN.password);
    await page.waitForURL((url) => url.pathname !== '/login');
    return await connect(page);
  } finally {
    await browser.close();
    await server.stop();
    vendor.server.close();
    await removeFolder(server.dataDirectory);
  }
};

/** Scaffolds a code connector, tests it alone with the packed SDK, and shows it as a working card; each step is timed. */
export const proveScaffold = async (): Promise<Proof> => {
  const scratch = await emptyFolder();
  const plugins = path.join(scratch, 'plugins');
  const folder = path.join(plugins, NAME);
  const { seconds, timed } = createTimer();
  try {
    await mkdir(plugins);
    const { sdk } = await packSdk(path.join(scratch, 'packed'));
    return await timed('all', async () => {
      await timed('scaffold', async () => node(plugins, [path.join(ROOT, 'sdk/create/index.js'), NAME, '--sdk', sdk]));
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      const code = await readFile(path.join(folder, 'src/connector.ts'), 'utf8');
      await timed('install', () => installAlone(folder, sdk));
      const told = await timed('test', async () => node(folder, [KIT, 'test', '--tier', 'silver']));
      await returnBorrowed(folder);
      const card = await timed('show', () => show(plugins));
      return {
        seconds,
        lines: code.trimEnd().split('\n').length,
        files: files.filter((file) => file.isFile()).map(({ name }) => name),
        verdict: told.trimEnd().split('\n').at(-1) ?? '',
        card,
      };
    });
  } finally {
    await removeFolder(scratch);
  }
};

// `npm run bench -- scaffold`: machine time from nothing to a working card. The goal is 60 s.
if (import.meta.main) {
  const { seconds, lines } = await proveScaffold();
  const rows = Object.entries(seconds).map(([step, value]) => `${step.padEnd(10)} ${value.toFixed(1).padStart(6)} s`);
  process.stdout.write(
    `${rows.join('\n')}\n${lines} lines of code\n${JSON.stringify({ name: 'scaffold', seconds, lines })}\n`,
  );
}
