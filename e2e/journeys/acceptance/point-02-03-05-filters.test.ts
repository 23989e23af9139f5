import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE } from '../../harness/browser.ts';
import type { Seeded } from '../../harness/installation.ts';
import { eventually, seededJourney } from '../../harness/journey.ts';
import { listCount, listRows } from '../../harness/screens.ts';

let seeded: Seeded;
let browser: Browser;
let page: Page;

seededJourney((journey) => {
  ({ seeded, browser, page } = journey);
});

const chips = () => page.locator('.chips .chip').allInnerTexts();
/** The number before "of" or "findings". */
const shownCount = async () => Number((await listCount(page).innerText()).split(/\s/)[0]?.replace(/\D/g, ''));
const apiTotal = async (query: string): Promise<number> => {
  const { status, body } = await seeded.api.get(`/findings?pagination[pageSize]=1&${query}`);
  expect(status).toBe(200);
  return body.meta.pagination.total;
};

test('point 2: every active filter is a chip that takes it away; the count is the total of the API', async () => {
  await page.goto(
    '/findings/all?severity=high,critical&type=SAST&priority_gt=20&cvssv3_score_lt=10&sla=overdue&excluded_file_types=go&is_duplicate=hide&provider=git&search=lib',
  );
  await listRows(page).first().waitFor();
  const query =
    'filters[severity]=high,critical&filters[type]=SAST&filters[priority_gt]=20&filters[sla]=overdue&filters[excluded_file_types]=go&filters[is_duplicate]=hide&filters[provider]=git&search=lib';
  await eventually(shownCount).toBe(await apiTotal(query));
  await eventually(chips).toHaveLength(8);
  await page.getByRole('button', { name: /^Remove filter Due/ }).click();
  await page.waitForURL((url) => !url.searchParams.has('sla'));
  await eventually(shownCount).toBe(await apiTotal(query.replace('&filters[sla]=overdue', '')));
  for (let left = 7; left > 0; left -= 1) {
    await eventually(chips).toHaveLength(left);
    if (left === 3) break;
    await page
      .getByRole('button', { name: /^Remove filter/ })
      .first()
      .click();
  }
  await page.locator('.chips').getByRole('button', { name: 'Reset' }).click();
  await eventually(chips).toEqual([]);
  await eventually(shownCount).toBe(10_000);
});

test('point 2: the dialog has every group; options have counts that come true; long lists are searched', async () => {
  await page.goto('/findings/all');
  await page.getByRole('button', { name: 'All filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'All filters' });
  for (const group of ['Source control', 'Scan', 'People', 'Policy', 'Other', 'Code']) {
    await dialog.getByRole('button', { name: group }).click();
    await dialog.getByRole('group').first().waitFor();
  }
  await dialog
    .getByRole('textbox', { name: 'Search File' })
    .or(dialog.getByRole('searchbox', { name: 'Search File' }))
    .fill('module-77/');
  const option = dialog.getByRole('listbox', { name: 'File' }).getByRole('option').first();
  await eventually(() => option.innerText()).toContain('module-77/');
  const [path = '', count = ''] = (await option.innerText()).split('\n');
  await option.click();
  await dialog.getByRole('button', { name: `Show ${count} findings` }).click();
  await eventually(shownCount).toBe(Number(count));
  await eventually(chips).toEqual([expect.stringContaining(path)]);
});

test('point 3: an empty result says so, names the filters and offers to remove the last one', async () => {
  await page.goto('/findings/all?tool=gitleaks&component=lodash-6');
  await page.getByText('No finding matches these 2 filters').waitFor();
  await page
    .getByText('Tool Gitleaks, Component lodash-6.', { exact: false })
    .or(page.getByText(/Component lodash-6/))
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Remove Component lodash-6', exact: true }).click();
  await listRows(page).first().waitFor();
  await eventually(shownCount).toBe(await apiTotal('filters[tool]=gitleaks'));
});

test('point 5: false positives, duplicates, accepted risk and sub-findings are hidden, shown or alone', async () => {
  await seeded.database.query(
    `update findings set is_subfinding = true where client_id = $1 and id in (
       select l.finding_id from finding_locations l where l.client_id = $1 and l.start_line < 20)`,
    [seeded.clientId],
  );
  await page.goto('/findings/all');
  await listRows(page).first().waitFor();
  for (const [key, label] of [
    ['false_positive', 'False positives'],
    ['accepted_risk', 'Accepted risk'],
    ['is_duplicate', 'Duplicates'],
    ['is_subfinding', 'Sub-findings'],
  ] as const) {
    await page.getByRole('button', { name: 'All filters' }).click();
    const dialog = page.getByRole('dialog', { name: 'All filters' });
    await dialog.getByRole('button', { name: 'Other' }).click();
    for (const [words, value] of [
      ['Hide', 'hide'],
      ['Only these', 'only'],
      ['Show', 'show'],
    ] as const) {
      await dialog.getByLabel(label).selectOption({ label: words });
      const total = await apiTotal(`filters[${key}]=${value}`);
      expect(total).toBeGreaterThan(0);
      await dialog.getByRole('button', { name: `Show ${total.toLocaleString('en')} findings` }).waitFor();
    }
    await dialog.getByRole('button', { name: /^Show / }).click();
  }
});

test('the filters fit a phone', async () => {
  const phone = await seeded.visit(browser, { viewport: PHONE });
  await phone.page.goto('/findings');
  await phone.page.getByRole('button', { name: 'All filters' }).click();
  const dialog = phone.page.getByRole('dialog', { name: 'All filters' });
  await dialog.getByRole('listbox', { name: 'Severity' }).waitFor();
  const box = await dialog.boundingBox();
  expect(box?.width ?? 0).toBeLessThanOrEqual(PHONE.width);
  await dialog.getByRole('option', { name: /Critical/ }).click();
  await phone.page.waitForURL((url) => url.searchParams.get('severity') === 'critical');
  phone.assertCalm();
  await phone.context.close();
});
