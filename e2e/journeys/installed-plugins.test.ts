import { packBuild } from '@breakwater/core/testing/connectors/plugin-build.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setUp } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, type Visitor } from '../harness/browser.ts';
import { addOrganization, PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { stopAfterFailure } from '../harness/journey.ts';
import { findingPanel, listRows, signInOnScreen } from '../harness/screens.ts';
import { rest } from '../harness/visit.ts';

/** Issue 18: a superadmin installs a plugin while the server runs; an admin of an organisation approves what it may do. */

let installation: Installation;
let browser: Browser;
let operator: Visitor;
let user: Visitor;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  await setUp(installation.server);
  const { username } = await installation.database.addUser('superadmin');
  const admin = await addOrganization(installation.database, 'Lighthouse Ltd');
  const { url } = installation.server;
  [operator, user] = await Promise.all([newVisitor(browser, url), newVisitor(browser, url)]);
  for (const visitor of [operator, user]) visitor.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(operator.page, username, PASSWORD);
  await signInOnScreen(user.page, admin, PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});
afterEach(() => {
  for (const visitor of [operator, user]) visitor.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
stopAfterFailure();

const card = (page: Page) => page.getByRole('region', { name: 'wharf-scan', exact: true });
const HOSTS = ['api.wharf.example'];
/** Its card takes reports, too. */
const REPORTS = { tool: 'wharf', fields: "parser: { tool: 'wharf', family: 'SAST' }," };

const install = async (buffer: Buffer): Promise<void> => {
  const { page } = operator;
  await page.getByRole('button', { name: 'Install a plugin' }).click();
  const dialog = page.getByRole('dialog');
  await page.getByLabel('Plugin file').setInputFiles({ name: 'plugin.tgz', mimeType: 'application/gzip', buffer });
  await dialog.getByText('plugin.tgz').waitFor();
  await dialog.getByRole('button', { name: 'Install', exact: true }).click();
};

test('a superadmin installs a plugin from a file, and one that is no build is refused with the reason', async () => {
  const { page } = operator;
  await page.goto('/connector/plugins');
  await page.getByText('No plugin is installed yet').waitFor();
  await lookAt(page, 'plugins-empty');
  operator.expectTrouble(/answer: 422 POST .*\/platform\/plugins\/file/);
  await install(Buffer.from('no archive'));
  await page.getByRole('dialog').getByText('This is no archive').waitFor();
  await lookAt(page, 'plugins-refused');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await install(await packBuild({ id: 'wharf-scan', version: '1.0.0', publisher: 'Acme', hosts: HOSTS, ...REPORTS }));
  await card(page).getByText('0 organisations use it').waitFor();
  await lookAt(page, 'plugins-installed');
});

test('an admin sees its form and permissions, approves them, and finds its card', async () => {
  const { page } = user;
  await page.goto('/connector/providers');
  await page.getByRole('link', { name: 'Plugins', exact: true }).click();
  await card(page).getByText('Its form asks for: Token, Project').waitFor();
  expect(await page.getByRole('button', { name: 'Install a plugin' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Enable: wharf-scan' }).click();
  await page.getByRole('dialog').getByText('api.wharf.example').waitFor();
  await lookAt(page, 'plugins-approve');
  await page.getByRole('button', { name: 'Approve and enable' }).click();
  await card(page).getByText('Enabled, 1.0.0').waitFor();
  await card(page).getByRole('link', { name: 'Wharf Scan' }).click();
  await page.getByLabel('Token', { exact: true }).waitFor();
  await rest(page);
  await lookAt(page, 'plugins-card');
});

test('a report of its tool is recognised, read by the plugin, and its findings say by which tool', async () => {
  const { page } = user;
  await page.goto('/findings');
  await page.getByRole('button', { name: 'Upload reports' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reports').setInputFiles({
    ...{ name: 'wharf.txt', mimeType: 'text/plain' },
    buffer: Buffer.from('wharf:\nW1\nW2\n'),
  });
  // only the server has its importer
  await dialog.getByText('Tool and results are read once it is sent.').waitFor();
  await dialog.getByLabel('Application').fill('Wharf Shop');
  await lookAt(page, 'plugins-report');
  await dialog.getByRole('button', { name: 'Upload 1 report' }).click();
  await dialog.getByText('Wharf Shop imported').waitFor({ timeout: 120_000 });
  await lookAt(page, 'plugins-report-imported');
  await dialog.getByRole('button', { name: 'Show findings' }).click();
  // rows of the list behind the dialog go before those of the import come
  await expect.poll(() => listRows(page).count(), { timeout: 30_000 }).toBe(2);
  await page.getByText('W1', { exact: true }).first().click();
  await findingPanel(page).getByText('wharf', { exact: true }).first().waitFor();
  await rest(page);
  await lookAt(page, 'plugins-report-finding');
});

test('a version that asks for more waits with its difference; an earlier one can be gone back to', async () => {
  await install(
    await packBuild({
      id: 'wharf-scan',
      version: '2.0.0',
      publisher: 'Acme',
      ...REPORTS,
      hosts: [...HOSTS, 'eu.wharf.example'],
      reveals: ['token'],
    }),
  );
  await card(operator.page).getByText('Version 2.0.0').waitFor();
  const { page } = user;
  await page.goto('/connector/plugins');
  await card(page).getByText('1.0.0 runs: a newer one asks for more and waits for an admin').waitFor();
  await page.getByRole('button', { name: 'Choose version: wharf-scan' }).click();
  const asked = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'New' });
  expect(await asked.allInnerTexts()).toEqual([
    expect.stringContaining('eu.wharf.example'),
    expect.stringContaining('token'),
  ]);
  await lookAt(page, 'plugins-difference');
  await page.getByRole('button', { name: 'Approve this version' }).click();
  await card(page).getByText('Enabled, 2.0.0').waitFor();
  await page.getByRole('button', { name: 'Choose version: wharf-scan' }).click();
  await page.getByLabel('Version', { exact: true }).selectOption('1.0.0');
  await page.getByRole('dialog').getByText('No longer').first().waitFor();
  await page.getByRole('button', { name: 'Approve this version' }).click();
  await card(page).getByText('1.0.0 runs, and newer ones do not follow').waitFor();
});

test('the operator disables it everywhere with a reason, and uninstalls it', async () => {
  const { page } = operator;
  await page.goto('/connector/plugins');
  await page.getByRole('button', { name: 'Disable everywhere: wharf-scan' }).click();
  await page.getByLabel('Reason').fill('Under review');
  await lookAt(page, 'plugins-withdraw');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable everywhere' }).click();
  await card(page).getByText('Disabled by the operator: Under review').waitFor();
  await user.page.goto('/connector/plugins');
  await card(user.page).getByText('Disabled by the operator: Under review').waitFor();
  await page.getByRole('button', { name: 'Uninstall: wharf-scan' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Uninstall' }).click();
  await page.getByText('No plugin is installed yet').waitFor();
  await user.page.goto('/connector/providers');
  await user.page.getByLabel('Search connectors').fill('Wharf');
  await user.page.getByText('Wharf Scan').waitFor({ state: 'detached' });
});
