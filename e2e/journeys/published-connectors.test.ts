import { pierWatchFiles } from '@breakwater/core/testing/connectors/pier-watch-files.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setUp } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, type Visitor } from '../harness/browser.ts';
import { addOrganization, PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { stopAfterFailure } from '../harness/journey.ts';
import { signInOnScreen } from '../harness/screens.ts';
import { rest } from '../harness/visit.ts';

/** Issue 18: an organisation publishes a connector without code; another approves its hosts and adds it. What it then brings: e2e/scaffold. */

let installation: Installation;
let browser: Browser;
let publisher: Visitor;
let user: Visitor;
const usernames: Record<'publisher' | 'user', string> = { publisher: '', user: '' };

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  await setUp(installation.server);
  usernames.publisher = (await installation.database.addUser('admin')).username;
  usernames.user = await addOrganization(installation.database, 'Lighthouse Ltd');
  const { url } = installation.server;
  [publisher, user] = await Promise.all([newVisitor(browser, url), newVisitor(browser, url)]);
  for (const visitor of [publisher, user]) visitor.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(publisher.page, usernames.publisher, PASSWORD);
  await signInOnScreen(user.page, usernames.user, PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});
afterEach(() => {
  for (const visitor of [publisher, user]) visitor.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
stopAfterFailure();

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const choose = async (page: Page, file: string, content: unknown): Promise<void> => {
  const buffer = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  await page.getByLabel(file, { exact: true }).setInputFiles({ name: file, mimeType: 'application/json', buffer });
};

test('a connector is published from its two files, and refused with what is wrong', async () => {
  const { page } = publisher;
  const { document, fixtures } = await pierWatchFiles();
  await page.goto('/connector/providers');
  await page.getByRole('link', { name: 'Published connectors' }).click();
  await page.getByText('No connector is published yet').waitFor();
  await lookAt(page, 'published-empty');
  await page.getByRole('button', { name: 'Publish a connector' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(true);
  await choose(page, 'connector.json', '{ "id":');
  await dialog.getByText('connector.json is no JSON.').waitFor();
  await choose(page, 'connector.json', { ...document, permissions: { egress: ['*.pier.example'] } });
  await choose(page, 'conformance.json', fixtures);
  await dialog.getByLabel('Who may add it').selectOption('public');
  publisher.expectTrouble(/answer: 422 POST .*\/publish/);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByText('is no literal host').waitFor();
  await lookAt(page, 'published-refused');
  await choose(page, 'connector.json', document);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await card(page, 'Pier Watch').getByText('Published by your organisation').waitFor();
});

test('another organisation approves its hosts and finds it in its catalogue', async () => {
  const { page } = user;
  await page.goto('/connector/published');
  await card(page, 'Pier Watch').getByText('Not verified').waitFor();
  await lookAt(page, 'published-offered');
  await page.getByRole('button', { name: 'Add: Pier Watch' }).click();
  await page.getByRole('dialog').getByText('api.pier.example').waitFor();
  await lookAt(page, 'published-approve');
  await page.getByRole('button', { name: 'Approve and add' }).click();
  await card(page, 'Pier Watch').getByText('In your catalogue').waitFor();
  await page.getByRole('link', { name: 'Open its card' }).click();
  await page.getByLabel('Organisation', { exact: true }).waitFor();
  await rest(page);
  await lookAt(page, 'published-card');
});

test('whoever runs the installation vouches for the name of its publisher', async () => {
  const { username } = await installation.database.addUser('superadmin');
  const { page, assertCalm, expectTrouble } = await newVisitor(browser, installation.server.url);
  expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(page, username, PASSWORD);
  await page.goto('/connector/published');
  await page.getByRole('button', { name: 'Verify name: Harbour Works' }).click();
  await page.getByRole('button', { name: 'Withdraw verification: Harbour Works' }).waitFor();
  await page.getByRole('button', { name: 'Revoke: Pier Watch' }).click();
  await page.getByRole('dialog').getByLabel('Reason').waitFor();
  await lookAt(page, 'published-revoke');
  await page.getByRole('button', { name: 'Cancel' }).click();
  assertCalm();
  await page.close();
  await user.page.goto('/connector/published');
  await card(user.page, 'Pier Watch').getByText('Verified', { exact: true }).waitFor();
});
