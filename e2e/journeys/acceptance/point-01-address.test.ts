import { isDeepStrictEqual } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from '../../harness/database.ts';
import type { Seeded } from '../../harness/installation.ts';
import { eventually, seededJourney } from '../../harness/journey.ts';
import { listCount, listRows } from '../../harness/screens.ts';

let seeded: Seeded;
let browser: Browser;
let page: Page;

seededJourney((journey) => {
  ({ seeded, browser, page } = journey);
});

const isAt = (test: (params: URLSearchParams) => boolean) => page.waitForURL((url) => test(url.searchParams));

/** What a person sees of a list: its count, its first rows, its chips. */
const seen = async (of: Page): Promise<object> => {
  await listRows(of).first().waitFor();
  // a count that comes after its rows stands for nothing yet
  await listCount(of).filter({ hasNotText: 'Counting' }).waitFor();
  const chips = await of.locator('.chips .chip').allInnerTexts();
  const rows = (await listRows(of).locator('.ttl').allInnerTexts()).slice(0, 8);
  return { count: await listCount(of).innerText(), rows, chips };
};

/** The same, once nothing changes any more: chips are there before the rows that they ask for. */
const settled = async (of: Page): Promise<object> => {
  const before = await seen(of);
  await of.waitForTimeout(500);
  const after = await seen(of);
  return isDeepStrictEqual(before, after) ? after : settled(of);
};

test('point 1: filters, sort and free text live in the address; reload, back, forward and a colleague restore them', async () => {
  await page.goto('/findings');
  const start = await seen(page);
  await page.getByRole('button', { name: 'Filter by Severity' }).click();
  await page.getByRole('option', { name: /High/ }).click();
  await isAt((params) => params.get('severity') === 'high');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'All filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'All filters' });
  await dialog.getByRole('button', { name: 'Remediation' }).click();
  await dialog.getByRole('option', { name: /Change of code/ }).click();
  await isAt((params) => params.get('mitigation') === 'change');
  const slider = dialog.getByRole('slider', { name: 'Effort up to' });
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await isAt((params) => params.get('fixing_effort_lt') === '99');
  await dialog.getByRole('button', { name: /^Show [\d,]+ findings/ }).click();
  await page.getByRole('columnheader', { name: 'Severity' }).getByRole('button').first().click();
  await isAt((params) => params.get('sort_field') === 'severity');
  await page.getByPlaceholder('Search title, path, CVE').fill('src/');
  await isAt((params) => params.get('search') === 'src/');
  // one of them stands for the four filters of open work
  await eventually(() => page.locator('.chips .chip').allInnerTexts()).toHaveLength(5);
  const narrowed = await settled(page);
  expect(narrowed).not.toEqual(start);

  await page.reload();
  await eventually(() => seen(page)).toEqual(narrowed);

  const colleague = await seeded.database.addUser('cyberoper');
  const other = await seeded.visit(browser, { username: colleague.username, password: PASSWORD });
  await other.page.goto(page.url());
  await expect.poll(() => seen(other.page), { timeout: 120_000 }).toEqual(narrowed);
  other.assertCalm();
  await other.context.close();

  await page.goto('/findings');
  await eventually(() => seen(page)).toEqual(start);
  await page.goBack();
  await eventually(() => seen(page)).toEqual(narrowed);
  await page.goForward();
  await eventually(() => seen(page)).toEqual(start);
});

test('point 1: groups and their order live in the address; a group opens exactly its findings', async () => {
  await page.goto('/findings');
  await page.getByLabel('Group by').selectOption('component');
  await isAt((params) => params.get('group') === 'component');
  const table = page.getByRole('table', { name: 'Findings by component' });
  // ages go on while the journey runs
  const withoutAge = (row: string): string => row.replace(/\d+ \w+ ago|just now/g, 'ago');
  const rows = async () => (await table.locator('tbody tr').allInnerTexts()).map(withoutAge);
  const byPriority = await eventually(rows).toHaveLength(50).then(rows);
  await table.getByRole('button', { name: 'Findings', exact: true }).click();
  await isAt((params) => params.get('group_sort') === 'count');
  await eventually(rows).not.toEqual(byPriority);
  await eventually(rows).toHaveLength(50);
  const before = await rows();
  await page.reload();
  await eventually(rows).toEqual(before);
  const first = table.locator('tbody tr').first();
  const count = (await first.locator('td').last().innerText()).trim();
  const name = (await first.getByRole('button').getAttribute('title')) ?? '';
  await first.getByRole('link').click();
  await eventually(() => listCount(page).innerText()).toMatch(new RegExp(`^${count}\\b`));
  await eventually(() => page.locator('.chips').innerText()).toContain(name);
  await page.goBack();
  await eventually(rows).toEqual(before);
});
