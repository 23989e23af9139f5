import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN } from '../harness/api.ts';
import { launchBrowser, newVisitor, type Visitor } from '../harness/browser.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { demoFiles } from '../harness/reports.ts';
import { dropFiles, finishUpload, listCount, listRows, setUpOnScreen, signInOnScreen } from '../harness/screens.ts';
import { type RunningServer, removeFolder, startServer } from '../harness/server.ts';

const APPLICATION = 'Juice Shop';
const REASON = 'The sample is never reached from outside.';

let server: RunningServer;
let browser: Browser;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  visitor = await newVisitor(browser, server.url);
  ({ page } = visitor);
  // Who is signed in is asked once, before anybody can be.
  visitor.expectTrouble(/answer: 401 GET .*\/api\/v1\/session/);
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  await removeFolder(server.dataDirectory);
});
stopAfterFailure();
afterEach(() => {
  visitor.assertCalm();
  expect(server.errors()).toEqual([]);
});

/** One person, from an empty installation to a triaged list. The tests build on each other, in this order. */
describe('from reports to a triaged list', () => {
  test('the first start leads to setup, and setup to three doors', async () => {
    await setUpOnScreen(page);
    await page.getByRole('heading', { name: 'Where are your findings?' }).waitFor();
    for (const door of ['Connect source control', 'Upload reports', 'Look around with sample data']) {
      await eventually(() => page.getByRole('heading', { name: door }).isVisible()).toBe(true);
    }
  });

  test('five files dropped together become 163 results, 151 issues and 840 components', async () => {
    const files = await demoFiles();
    expect(files).toHaveLength(5);
    await dropFiles(
      page,
      page.locator('.dropzone').first(),
      files.map(({ file }) => file),
    );
    const dialog = await finishUpload(page, APPLICATION, 5);
    const summary = await dialog.getByRole('status').innerText();
    expect(summary).toContain('163 results');
    expect(summary).toContain('151 issues');
    expect(summary).toContain('840 components');
    expect(await dialog.getByText('Not imported').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Show findings' }).click();
    await page.waitForURL('**/findings?**');
  });

  test('the list shows 151, sorted by priority, with the exploited one in the first three', async () => {
    await page.getByRole('link', { name: 'Findings', exact: false }).first().click();
    await page.waitForURL((url) => url.pathname === '/findings' && url.search === '');
    await eventually(() => listCount(page).innerText()).toContain('151');
    const rows = (await listRows(page).allInnerTexts()).slice(0, 20);
    const priorities = rows.map((row) => Number.parseInt(row, 10));
    expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
    expect(rows.slice(0, 3).join('\n')).toContain('CVE-2023-44487');
    expect(await page.locator('tr').count()).toBeLessThanOrEqual(61);
  });

  test('a finding opens beside the list with its score, its code and its facts', async () => {
    await page.getByPlaceholder('Search title, path, CVE').fill('routes/login.ts');
    await page.waitForURL((url) => url.searchParams.get('search') === 'routes/login.ts');
    await eventually(() => listRows(page).first().innerText()).toContain('routes/login.ts');
    await listRows(page).first().getByRole('link').first().click();
    await page.waitForURL('**/findings/finding-details/**');
    const panel = page.getByRole('complementary', { name: 'Finding' });
    await panel.getByRole('heading', { name: 'Why this score' }).waitFor();
    await eventually(() => panel.getByText(/The parts add up to \d+(\.\d{3})?\./).isVisible()).toBe(true);
    await panel.getByText('Marked: ').first().waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.pathname === '/findings');
    await page.getByRole('button', { name: /^Remove filter Search/ }).click();
    await eventually(() => listCount(page).innerText()).toContain('151');
  });

  test('a false positive with a reason leaves the list; undo brings it back', async () => {
    await listRows(page).first().getByRole('link').first().click();
    const panel = page.getByRole('complementary', { name: 'Finding' });
    await panel.getByRole('button', { name: 'False positive' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByRole('button', { name: 'Mark false positive' }).click();
    await page.getByText('1 marked false positive').waitFor();
    await eventually(() => listCount(page).innerText()).toContain('150');
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => listCount(page).innerText()).toContain('151');
    await panel.getByRole('tab', { name: /History/ }).click();
    await panel.getByText(REASON).first().waitFor();
  });

  test('marked again, it stays marked, and its reason and author are in the history', async () => {
    const panel = page.getByRole('complementary', { name: 'Finding' });
    await panel.getByRole('button', { name: 'False positive', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByRole('button', { name: 'Mark false positive' }).click();
    await eventually(() => listCount(page).innerText()).toContain('150');
    await eventually(() => panel.innerText()).toContain(ADMIN.username);
    await page.keyboard.press('Escape');
  });

  test('a filter is in the address: reload and back restore it', async () => {
    await page.getByRole('button', { name: 'Filter by Tool' }).click();
    await page.getByRole('option', { name: /Trivy/ }).click();
    await page.waitForURL((url) => url.search.includes('trivy'));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Remove filter Tool/ }).waitFor();
    await eventually(() => listCount(page).innerText()).toMatch(/^\d+\s+of 150$/);
    // count and rows are drawn one after the other
    await eventually(async () => {
      const counted = Number.parseInt(await listCount(page).innerText(), 10);
      return counted - (await listRows(page).count());
    }).toBe(0);
    const narrowed = await listCount(page).innerText();
    const rows = await listRows(page).allInnerTexts();
    await page.reload();
    await eventually(() => listRows(page).allInnerTexts()).toEqual(rows);
    await eventually(() => listCount(page).innerText()).toBe(narrowed);
    await page.getByRole('button', { name: /^Remove filter Tool/ }).click();
    await eventually(() => listCount(page).innerText()).toContain('150');
    await page.goBack();
    await eventually(() => listCount(page).innerText()).toBe(narrowed);
  });

  test('the same five files again: nothing new, nothing closed, the verdict kept', async () => {
    await page.goto('/findings');
    await page.getByRole('button', { name: 'Upload reports' }).click();
    const files = await demoFiles();
    await page
      .getByRole('dialog')
      .getByLabel('Reports')
      .setInputFiles(files.map(({ file }) => file));
    const dialog = await finishUpload(page, APPLICATION, 5);
    const text = await dialog.innerText();
    expect(text).not.toMatch(/[1-9]\d* new/);
    expect(text).not.toMatch(/[1-9]\d* closed/);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await eventually(() => listCount(page).innerText()).toContain('150');
  });

  test('the dashboard counts what the list counts', async () => {
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    const figure = page.getByRole('navigation', { name: 'Figures' }).getByRole('link', { name: /Open findings/ });
    await eventually(() => figure.innerText()).toContain('150');
    await figure.click();
    await eventually(() => listCount(page).innerText()).toContain('150');
  });

  test('the inventory lists 840 components, and one opens with its findings', async () => {
    await page.getByRole('link', { name: 'SBOM' }).first().click();
    await page.waitForURL('**/sbom-findings');
    await eventually(() => page.locator('main').innerText()).toContain('840');
  });

  test('signing out ends the session and leads to the sign-in page', async () => {
    await page.getByRole('button', { name: `Account of ${ADMIN.username}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/login**');
    await page.goto('/findings');
    await page.waitForURL('**/login**');
    await signInOnScreen(page, ADMIN.email, ADMIN.password);
    await page.goto('/findings');
    await eventually(() => listCount(page).innerText()).toContain('150');
  });
});
