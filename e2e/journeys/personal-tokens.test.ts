import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type ApiClient, addRepository, apiClient, setUp } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, type Visitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { stopAfterFailure } from '../harness/journey.ts';
import { signInOnScreen } from '../harness/screens.ts';

/** Issue 15, point 4: a developer lets a program call as them, and an admin ends it. */

let installation: Installation;
let browser: Browser;
let admin: ApiClient;
let developer: Visitor;
let program: ApiClient;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  const { server, database } = installation;
  admin = await setUp(server);
  const { id, username } = await database.addUser('developer');
  const owned = await addRepository(admin, 'owned');
  await addRepository(admin, 'foreign');
  await database.query('update repositories set owner = $1 where id = $2', [id, owned]);
  developer = await newVisitor(browser, server.url);
  developer.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(developer.page, username, PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});
stopAfterFailure();

test('from the settings a developer makes a token, and a program sees by it what they see', async () => {
  const { page } = developer;
  await page.goto('/settings');
  await page.getByRole('link', { name: 'Personal tokens' }).click();
  await page.getByText('No token yet.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Script');
  await page.getByText('Upload reports and follow their import').click();
  await page.getByText('Read findings, scans and the list of repositories').click();
  await page.getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByLabel('Token', { exact: true }).inputValue();
  await lookAt(page, 'personal-token-made');
  program = apiClient(installation.server, token);
  const { body } = await program.get('/repositories');
  expect(body.data.map((item: { attributes: { nickname: string } }) => item.attributes.nickname)).toEqual(['owned']);
  expect((await program.get('/user/tokens')).status).toBe(403);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('just now').first().waitFor();
  await lookAt(page, 'personal-tokens');
  developer.assertCalm();
});

test('an admin finds it among the tokens of the organisation, with its owner, and revokes it', async () => {
  const visitor = await newVisitor(browser, installation.server.url);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  const { page } = visitor;
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
  await page.goto('/connector/tools?open=miscellaneous/plexalyzer');
  const item = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem');
  await item.getByText('Calls as').waitFor();
  await lookAt(page, 'personal-token-of-somebody');
  await item.getByRole('button', { name: 'Revoke Script' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText('No token yet.').waitFor();
  expect((await program.get('/repositories')).status).toBe(401);
  visitor.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
