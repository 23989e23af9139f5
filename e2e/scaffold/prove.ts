import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { packSdk } from '../../tools/packages/pack-sdk.ts';
import { installAlone } from '../../tools/packages/sandbox.ts';
import { type ApiClient, setUp, signIn } from '../harness/api.ts';
import { launchBrowser, newVisitor } from '../harness/browser.ts';
import { addOrganization, PASSWORD } from '../harness/database.ts';
import { startInstallation } from '../harness/installation.ts';
import { signInOnScreen } from '../harness/screens.ts';
import { emptyFolder, ROOT, type RunningServer, removeFolder } from '../harness/server.ts';
import { firstFindings, withVendor } from './first-finding.ts';
import { createTimer, KEY, node, npmPack, startVendor } from './vendor.ts';

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
  /** Titles of the findings that the other organisation has in the end. */
  readonly findings: readonly string[];
}

/** What the author adds by hand for `build`: who they are, a page and a licence. */
const fillIn = async (folder: string): Promise<void> => {
  const file = path.join(folder, 'src/connector.ts');
  const code = await readFile(file, 'utf8');
  await writeFile(file, code.replace("version: '0.1.0',", "version: '0.1.0', publisher: 'Acme',"));
  await writeFile(path.join(folder, 'README.md'), '# Acme Scan\n\nPulls findings. Its key reads issues.\n');
  await writeFile(path.join(folder, 'LICENSE'), 'MIT\n');
};

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

/** A working card in Chromium, and what it brings. */
const show = async (server: RunningServer, api: ApiClient, username: string) => {
  const browser = await launchBrowser();
  try {
    const { page } = await newVisitor(browser, server.url);
    await page.goto('/login');
    await signInOnScreen(page, username, PASSWORD);
    await page.waitForURL((url) => url.pathname !== '/login');
    return { card: await connect(page), findings: await firstFindings(api) };
  } finally {
    await browser.close();
  }
};

/** Installed by whoever runs the server, approved and enabled by an organisation. @returns its id in the catalogue of that one */
const installAndEnable = async (server: RunningServer, archive: Buffer, operator: ApiClient, user: ApiClient) => {
  const installed = await fetch(`${server.url}/api/v1/platform/plugins/file?name=${NAME}.tgz`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(archive),
  });
  if (!installed.ok) throw new Error(await installed.text());
  const { body } = await user.get('/installed_plugins');
  const { version, publisher, hosts, reveals } = body.data[0].attributes.versions[0];
  const enabled = await user.call('PUT', `/installed_plugins/${NAME}`, { version, publisher, hosts, reveals });
  return String(enabled.body.data.connectors[NAME]);
};

/**
 * From an empty folder to the first finding in another organisation, with code: scaffolded, tested alone with the packed SDK, built,
 * installed, enabled and connected; each step is timed. The packed SDK stands for one that was downloaded, and is no part of it.
 */
export const proveScaffold = async (): Promise<Proof> => {
  const scratch = await emptyFolder();
  const folder = path.join(scratch, NAME);
  const { seconds, timed } = createTimer();
  await mkdir(path.join(scratch, 'packed'));
  const { sdk } = await packSdk(path.join(scratch, 'packed'));
  const [vendor, installation] = [await startVendor(), await startInstallation()];
  await setUp(installation.server);
  const operator = await signIn(
    installation.server,
    (await installation.database.addUser('superadmin')).username,
    PASSWORD,
  );
  const username = await addOrganization(installation.database, 'Lighthouse Ltd');
  const user = await signIn(installation.server, username, PASSWORD);
  try {
    return await timed('all', async () => {
      await timed('scaffold', () => node(scratch, [path.join(ROOT, 'sdk/create/index.js'), NAME, '--sdk', sdk]));
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      await timed('install packages', () => installAlone(folder, sdk));
      await symlink(path.join(ROOT, 'node_modules/rolldown'), path.join(folder, 'node_modules/rolldown'));
      await fillIn(folder);
      const told = await timed('test', () => node(folder, [KIT, 'test', '--tier', 'silver']));
      await timed('build', () => node(folder, [KIT, 'build']));
      const archive = await timed('pack', () => npmPack(path.join(folder, 'build'), scratch));
      const connector = await timed('install and enable', () =>
        installAndEnable(installation.server, archive, operator, user),
      );
      const order = { username, connector, vendor: vendor.url };
      const shown = await timed('connect', () =>
        withVendor(installation, order, (server, api) => show(server, api, username)),
      );
      const code = await readFile(path.join(folder, 'src/connector.ts'), 'utf8');
      return {
        ...shown,
        seconds,
        lines: code.trimEnd().split('\n').length,
        files: files.filter((file) => file.isFile()).map(({ name }) => name),
        verdict: told.trimEnd().split('\n').at(-1) ?? '',
      };
    });
  } finally {
    vendor.server.close();
    await installation.stop();
    await removeFolder(scratch);
  }
};

// `npm run bench -- scaffold`: machine time from nothing to the first finding elsewhere. The goal is 60 s.
if (import.meta.main) {
  const { seconds, lines } = await proveScaffold();
  const rows = Object.entries(seconds).map(([step, value]) => `${step.padEnd(20)} ${value.toFixed(1).padStart(6)} s`);
  process.stdout.write(
    `${rows.join('\n')}\n${lines} lines of code\n${JSON.stringify({ name: 'scaffold', seconds, lines })}\n`,
  );
}
