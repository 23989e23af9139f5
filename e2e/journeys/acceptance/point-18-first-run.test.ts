import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, newVisitor, type Visitor } from '../../harness/browser.ts';
import { type Installation, startInstallation } from '../../harness/installation.ts';
import { eventually, stopAfterFailure } from '../../harness/journey.ts';
import { listRows, setUpOnScreen } from '../../harness/screens.ts';
import type { RunningServer } from '../../harness/server.ts';

/** Acceptance point 18: the first run; sample data is marked and goes away with one action. */

let installation: Installation;
let server: RunningServer;
let browser: Browser;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  ({ server } = installation);
  visitor = await newVisitor(browser, server.url);
  visitor.expectTrouble(/answer: 401 GET .*\/api\/v1\/session/);
  ({ page } = visitor);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});
stopAfterFailure();

const DOORS = ['Connect source control', 'Upload reports', 'Look around with sample data'];

test('a fresh organisation sees three doors, one of them primary, and a checklist with real state', async () => {
  await setUpOnScreen(page);
  for (const name of DOORS) await page.getByRole('heading', { name, exact: true }).waitFor();
  await eventually(() => page.locator('.doors .bp6-intent-primary').count()).toBe(1);
  await page.getByText('1 of 4 done').waitFor();
  expect(await page.getByRole('navigation', { name: 'Figures' }).count()).toBe(0);
});

test('each door leads somewhere', async () => {
  await page.getByRole('link', { name: 'Choose a provider' }).click();
  await page.waitForURL('**/manage-repositories');
  await page.getByText('GitHub is not connected yet.').waitFor();
  await page.goBack();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  expect((await chooser).isMultiple()).toBe(true);
});

test('sample data comes with one click, and is marked on the dashboard and in the list', async () => {
  await page.getByRole('button', { name: 'Load sample data' }).click();
  await page.getByText('Sample data of OWASP Juice Shop is part of these figures.').waitFor({ timeout: 120_000 });
  await page
    .getByRole('navigation', { name: 'Figures' })
    .getByRole('link', { name: /151\s*Open findings/ })
    .waitFor();
  await page.getByText('2 of 4 done').waitFor();
  await page.goto('/Repositories');
  await page
    .getByText(/sample/i)
    .first()
    .waitFor();
  await page.goto('/findings');
  await listRows(page).first().waitFor();
});

test('one action takes it away, and the doors are back', async () => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Remove sample data' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove sample data' }).click();
  await page.getByRole('heading', { name: 'Where are your findings?' }).waitFor({ timeout: 120_000 });
  for (const name of DOORS) await page.getByRole('heading', { name, exact: true }).waitFor();
  await page.goto('/findings/all');
  await page.locator('.empty').waitFor();
  expect(await listRows(page).count()).toBe(0);
  visitor.assertCalm();
  expect(server.errors()).toEqual([]);
});
