import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Visitor } from '../../harness/browser.ts';
import { FINDINGS, type Seeded } from '../../harness/installation.ts';
import { eventually, seededJourney } from '../../harness/journey.ts';
import { generatedReport } from '../../harness/reports.ts';
import { dropTexts, findingPanel, listCount, listRows } from '../../harness/screens.ts';

/**
 * Acceptance point 25: a slow or lost network shows skeletons, offers to try again and sends nothing twice; the screens are usable at
 * 360 px; long work shows its progress and can be left and come back to.
 */

const SMALL = { width: 360, height: 740 };

let seeded: Seeded;
let browser: Browser;
let visitor: Visitor;
let page: Page;

seededJourney((journey) => {
  ({ seeded, browser, visitor, page } = journey);
});

/** Holds the requests back until it is told to let them go. */
const hold = async (address: string, method = 'GET') => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held: Promise<void>[] = [];
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    const going = promise.then(() => route.continue());
    held.push(going);
    return going;
  });
  return {
    count: () => held.length,
    release: async () => {
      resolve();
      await Promise.all(held);
      await page.unroute(address);
    },
  };
};

test('point 25: while the answer is on the way a skeleton has its place, for the list, the panel and the dashboard', async () => {
  const list = await hold('**/api/v1/findings?**');
  await page.goto('/findings');
  await page.getByRole('status', { name: 'Findings are being read' }).locator('.sk').first().waitFor();
  await list.release();
  await listRows(page).first().getByRole('link').first().waitFor();
  await page.locator('.sk').first().waitFor({ state: 'detached' });

  const detail = await hold('**/api/v1/findings/*');
  await listRows(page).first().getByRole('link').first().click();
  await findingPanel(page).getByRole('status').locator('.sk').first().waitFor();
  await detail.release();
  await findingPanel(page).getByRole('heading', { name: 'Why this score' }).waitFor();

  const charts = await hold('**/api/v1/total_findings_chart**');
  await page.goto('/');
  await page.locator('.sk').first().waitFor();
  await charts.release();
  await page.getByRole('navigation', { name: 'Figures' }).getByText('Open findings').waitFor();
});

test('point 25: without a network the list says so and is read by "Try again"', async () => {
  visitor.expectTrouble(/request: |console: /);
  await page.goto('/findings');
  await listRows(page).first().waitFor();
  await page.context().setOffline(true);
  await page.getByPlaceholder('Search title, path, CVE').fill('lib');
  const alert = page.getByRole('alert').filter({ hasText: 'The findings could not be read' });
  await alert.waitFor();
  await page.context().setOffline(false);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await listRows(page).first().waitFor();
  expect(new URL(page.url()).searchParams.get('search')).toBe('lib');
});

test('point 25: a second press while the first is on its way sends nothing', async () => {
  await page.goto('/findings');
  await listRows(page).first().getByRole('link').first().click();
  await findingPanel(page).getByRole('heading', { name: 'Why this score' }).waitFor();
  const put = await hold('**/api/v1/findings/**', 'PUT');
  await findingPanel(page).getByRole('button', { name: 'False positive', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Pressed twice');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await eventually(() => put.count()).toBe(1);
  await page.waitForTimeout(300);
  expect(put.count()).toBe(1);
  await put.release();
  await page.getByText('1 marked false positive').waitFor();
});

test('point 25: an import goes on when its dialog is closed or another page shows, and can be looked at again', async () => {
  await page.goto('/findings');
  const text = new TextDecoder().decode(generatedReport(4_000));
  await dropTexts(page, page.locator('.dropzone').first(), [{ name: 'long.json', text }]);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Application').fill('Long work');
  const sending = await hold('**/api/v1/upload_scan/**', 'POST');
  await dialog.getByRole('button', { name: 'Upload 1 report' }).click();
  await dialog.getByText('It goes on when this is closed.').waitFor();
  await dialog.getByRole('progressbar').waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'SBOM' }).first().click();
  await page.waitForURL('**/sbom-findings');
  await page.getByRole('region', { name: 'Import in progress' }).waitFor();
  await sending.release();
  const toast = page.getByText(/^4,000 new. 4,000 results/).first();
  await toast.waitFor({ timeout: 120_000 });
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await dialog.getByText('4,000 new, 0 same, 0 closed').waitFor();
  await dialog.getByRole('button', { name: 'Show findings' }).click();
  await eventually(() => listCount(page).innerText()).toMatch(/^4,000/);
});

test('point 25: thousands of verdicts show their progress; a reload on the way picks them up again', async () => {
  await page.goto('/findings/all');
  const total = (FINDINGS + 4_000).toLocaleString('en');
  await listRows(page).first().getByRole('checkbox').check();
  const bar = page.getByRole('toolbar', { name: 'Selected findings' });
  await bar.getByRole('button', { name: `Select all ${total}` }).click();
  await bar.getByRole('button', { name: 'Valid' }).click();
  await bar.getByText('It goes on when you leave this page.').waitFor();
  await page.reload();
  const valid = async () => {
    const [row] = await seeded.database.query(`select count(*)::int as count from findings where verdict = 'valid'`);
    return row?.['count'];
  };
  await expect.poll(valid, { timeout: 120_000 }).toBe(FINDINGS + 4_000);
});

test('point 25: the screens are usable at 360 px', async () => {
  const phone = await seeded.visit(browser, { viewport: SMALL });
  const issues: string[] = [];
  for (const path of [
    '/',
    '/findings',
    '/findings/all',
    '/sbom-findings',
    '/Repositories',
    '/connector/providers',
    '/settings/due-dates',
    '/settings/license-policy',
    '/settings/prioritisation',
  ]) {
    await phone.page.goto(path);
    await phone.page.locator('h1').first().waitFor();
    await phone.page.locator('.sk').first().waitFor({ state: 'detached' });
    const overflow = await phone.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) issues.push(`${path}: ${overflow} px wider than the window`);
  }
  expect(issues).toEqual([]);
  await phone.page.goto('/findings');
  await listRows(phone.page).first().getByRole('link').first().click();
  const panel = findingPanel(phone.page);
  await panel.getByRole('heading', { name: 'Why this score' }).waitFor();
  expect((await panel.boundingBox())?.width).toBeLessThanOrEqual(SMALL.width);
  await panel.getByRole('button', { name: 'Back to list' }).click();
  await phone.page.waitForURL((url) => url.pathname === '/findings');
  phone.assertCalm();
  await phone.context.close();
});
