import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { FINDINGS, type Seeded } from '../../harness/installation.ts';
import { eventually, seededJourney } from '../../harness/journey.ts';
import { listRows } from '../../harness/screens.ts';

let seeded: Seeded;
let page: Page;

seededJourney((journey) => {
  ({ seeded, page } = journey);
});
beforeAll(async () => {
  await page.goto('/findings/all');
  await listRows(page).first().getByRole('link').first().waitFor();
});

const falsePositives = async (): Promise<number> => {
  const { body } = await seeded.api.call('GET', '/findings?filters[false_positive]=only&pagination[pageSize]=1');
  return body.meta.pagination.total;
};
const bar = () => page.getByRole('toolbar', { name: 'Selected findings' });

test('9: three picked rows are judged by one request, and taken back from the toast', async () => {
  const before = await falsePositives();
  const fresh = listRows(page).filter({ hasNotText: 'False positive' });
  for (const row of [0, 1, 2]) await fresh.nth(row).getByRole('checkbox').check();
  await bar().getByText('3 selected').waitFor();
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') requests.push(new URL(request.url()).pathname);
  });
  await bar().getByRole('button', { name: 'False positive' }).click();
  await page.getByRole('dialog').getByText('Mark 3 findings false positive').waitFor();
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.type('All in tests');
  await page.keyboard.press('Enter');
  await page.getByText('3 marked false positive').waitFor();
  expect(requests).toEqual(['/api/v1/findings/bulk']);
  await eventually(falsePositives).toBe(before + 3);
  await bar().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(falsePositives).toBe(before);
});

test('9: "select all" means everything that the filter finds; thousands are worked off with progress', async () => {
  await listRows(page).first().getByRole('checkbox').check();
  await bar().getByRole('button', { name: 'Select all 10,000' }).click();
  await bar().getByText('10,000 selected').waitFor();
  await bar().getByRole('button', { name: 'False positive' }).click();
  await page.getByRole('dialog').getByText('Mark 10,000 findings false positive').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('10,000 marked false positive').waitFor({ timeout: 120_000 });
  expect(await falsePositives()).toBe(FINDINGS);
});

test('9: what was refused is shown with the reason', async () => {
  const rows = await Promise.all(
    [0, 1, 2].map((row) => listRows(page).nth(row).locator('[data-finding]').getAttribute('data-finding')),
  );
  await page.getByRole('button', { name: 'Undo' }).first().waitFor({ state: 'detached', timeout: 120_000 });
  // meanwhile somebody removes one of them
  for (const row of [0, 1, 2]) await listRows(page).nth(row).getByRole('checkbox').check();
  await seeded.database.query(`delete from findings where id = '${rows[1]}'`);
  await bar().getByRole('button', { name: 'Valid' }).click();
  await bar().getByText('2 done, 1 refused').waitFor();
  await bar().getByRole('button', { name: 'Show why' }).click();
  await page.getByRole('dialog').getByText('does not exist').waitFor();
  await page.keyboard.press('Escape');
});
