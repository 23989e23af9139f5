import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { ADMIN, addRepository, setUp } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, PHONE, type Visitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { demoReport } from '../harness/reports.ts';
import { signInOnScreen } from '../harness/screens.ts';

/**
 * Issue 17: a person takes their data along and deletes their account, others go on seeing what they need; an admin takes the organisation
 * along and deletes it.
 */

let installation: Installation;
let browser: Browser;
let admin: Visitor;
let developer: Visitor;
let username: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  const api = await setUp(installation.server);
  await api.upload(await addRepository(api, 'Juice Shop'), 'grype.json', await demoReport('grype.json'));
  ({ username } = await installation.database.addUser('developer'));
  admin = await newVisitor(browser, installation.server.url);
  developer = await newVisitor(browser, installation.server.url, { viewport: PHONE });
  // a wrong password, and pages that were open when their owner left
  for (const visitor of [admin, developer]) {
    visitor.expectTrouble(/answer: 4(?:01|22) /);
    visitor.expectTrouble(/Failed to load resource|EventSource/);
  }
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});
stopAfterFailure();

const downloaded = async (page: Page, name: string): Promise<Buffer> => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return readFile(await download.path());
};

test('a developer downloads what is kept about them, and deletes their account', async () => {
  const { page } = developer;
  page.setDefaultTimeout(9000);
  await signInOnScreen(page, username, PASSWORD);
  await page.goto('/settings/profile');
  const data = JSON.parse((await downloaded(page, 'Download my data')).toString('utf8'));
  expect(data).toMatchObject({ format: 'breakwater-personal-data', version: 1 });
  expect(JSON.stringify(data)).toContain(`${username}@harbour.example`);
  expect(JSON.stringify(data)).not.toMatch(/password_hash|\$argon2|\$scrypt/);

  await page.getByRole('button', { name: 'Delete my account…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This cannot be undone.').waitFor();
  await lookAt(page, 'delete-account');
  await dialog.getByLabel(/^Type .* to confirm$/).fill(`${username}@harbour.example`);
  await dialog.getByLabel('Password', { exact: true }).fill('not this one');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);

  await page.goto('/login');
  await page.getByLabel('Email or username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').waitFor();
});

test('others read of a former member, and of no name', async () => {
  const { page } = admin;
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
  await page.goto('/settings/audit');
  await page.getByText('Former member').first().waitFor();
  expect(await page.getByText(username).count()).toBe(0);
  await page.goto('/settings/team');
  await page.getByText(ADMIN.email).first().waitFor();
  expect(await page.getByText(username).count()).toBe(0);
  developer.assertCalm();
});

test('an admin exports the organisation, and deletes it by its name', async () => {
  const { page } = admin;
  await page.goto('/organization');
  const [all = ''] = gunzipSync(await downloaded(page, 'Export the organisation'))
    .toString('utf8')
    .split('\0');
  const data = JSON.parse(all);
  expect(data.tables.findings.length).toBeGreaterThan(0);
  expect(all).not.toContain('password_hash');

  await page.getByRole('button', { name: 'Delete the organisation…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Everything goes: 1 person, 1 repository and \d+ findings, with reports/).waitFor();
  await lookAt(page, 'delete-organisation');
  const name = dialog.getByLabel(/^Type .* to confirm$/);
  await name.fill('Another');
  await dialog.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await dialog.getByRole('button', { name: 'Delete organisation' }).click();
  await dialog
    .getByText(/^Type .* to confirm\.$/)
    .first()
    .waitFor();
  await name.fill('Harbour Works');
  await dialog.getByRole('button', { name: 'Delete organisation' }).click();
  await page.getByRole('heading', { name: 'The organisation is deleted' }).waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  await eventually(async () => (await installation.database.query('select id from findings')).length).toBe(0);
  expect(await installation.database.query(`select id from clients where organization_name = 'Harbour Works'`)).toEqual(
    [],
  );
  admin.assertCalm();
});
