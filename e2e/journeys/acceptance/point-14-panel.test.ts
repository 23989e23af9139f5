import { isDeepStrictEqual } from 'node:util';
import { OPEN_STATUSES } from '@breakwater/core/findings/model/states.ts';
import { toQueryString } from '@breakwater/core/platform/ui/data/api-client.ts';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from '../../harness/database.ts';
import type { Seeded } from '../../harness/installation.ts';
import { eventually, seededJourney } from '../../harness/journey.ts';
import { findingPanel, focusedFinding, listCount, listRows } from '../../harness/screens.ts';

/** Acceptance point 14: the detail is a panel with its own URL; next and previous keep the filter; Esc leads back to place and focus. */

const FILTER = { status: 'open', severity: 'critical,high', type: 'SAST' };
const LIST = `/findings?${new URLSearchParams(FILTER)}`;
/** The same for the API, with what `/findings` hides. */
const QUERY = toQueryString({
  filters: {
    ...FILTER,
    status: [...OPEN_STATUSES],
    false_positive: 'hide',
    accepted_risk: 'hide',
    is_duplicate: 'hide',
  },
  pagination: { page: 1, pageSize: 200 },
});

let seeded: Seeded;
let browser: Browser;
let page: Page;

seededJourney((journey) => {
  ({ seeded, browser, page } = journey);
});

const isAt = (path: string) =>
  page.waitForURL((url) => url.pathname === path && isDeepStrictEqual(Object.fromEntries(url.searchParams), FILTER));
const isOpen = (id: string | null | undefined) => isAt(`/findings/finding-details/${id}`);
const idsInOrder = async (): Promise<string[]> => {
  const { body } = await seeded.api.get(`/findings?${QUERY}`);
  return body.data.map(({ _id }: { _id: string }) => _id);
};
const scrolled = () => page.locator('.ft-scroll').evaluate((box) => box.scrollTop);
const openList = async () => {
  await page.goto(LIST);
  await listRows(page).first().getByRole('link').first().waitFor();
};

test('point 14: a finding opens beside the list at an address of its own, which a colleague may open', async () => {
  await openList();
  // counted twice: what the filter finds, and out of how many
  await eventually(() => listCount(page).innerText()).toMatch(/\d of \d/);
  const count = await listCount(page).innerText();
  const ids = await idsInOrder();
  await listRows(page).nth(3).getByRole('link').first().click();
  await isOpen(ids[3]);
  const heading = findingPanel(page).getByRole('heading', { level: 2 });
  await findingPanel(page).getByRole('heading', { name: 'Why this score' }).waitFor();
  const title = await heading.innerText();
  await eventually(() => listRows(page).count()).toBeGreaterThan(3);
  await page.reload();
  await eventually(() => heading.innerText()).toBe(title);
  await eventually(() => listCount(page).innerText()).toBe(count);
  await eventually(() => page.locator('tr.ft-row[aria-current="true"]').getAttribute('aria-rowindex')).toBe('5');

  const colleague = await seeded.database.addUser('cyberoper');
  const other = await seeded.visit(browser, { username: colleague.username, password: PASSWORD });
  await other.page.goto(page.url());
  await eventually(() => findingPanel(other.page).getByRole('heading', { level: 2 }).innerText()).toBe(title);
  await eventually(() => listCount(other.page).innerText()).toBe(count);
  other.assertCalm();
  await other.context.close();
});

test('point 14: next and previous go through what the filter finds, and "back" leads to the list at once', async () => {
  await openList();
  const ids = await idsInOrder();
  await listRows(page).nth(0).getByRole('link').first().click();
  await isOpen(ids[0]);
  await findingPanel(page)
    .getByText(/^1 of /)
    .waitFor();
  expect(await findingPanel(page).getByRole('button', { name: 'Previous finding' }).isDisabled()).toBe(true);
  for (const index of [1, 2, 3]) {
    await findingPanel(page).getByRole('button', { name: 'Next finding' }).click();
    await isOpen(ids[index]);
  }
  await findingPanel(page)
    .getByText(/^4 of /)
    .waitFor();
  await findingPanel(page).getByRole('button', { name: 'Previous finding' }).click();
  await isOpen(ids[2]);
  await page.goBack();
  await isAt('/findings');
  await findingPanel(page).waitFor({ state: 'detached' });
});

test('point 14: Esc leads back to the same place and focus', async () => {
  await openList();
  await page.locator('.ft-scroll').evaluate((box) => box.scrollTo(0, 2_600));
  const row = page.locator('tr.ft-row[aria-rowindex="56"] [data-finding]');
  const id = await row.getAttribute('data-finding');
  const place = await scrolled();
  await row.click();
  await isOpen(id);
  await findingPanel(page).getByRole('heading', { name: 'Why this score' }).waitFor();
  await page.keyboard.press('Escape');
  await isAt('/findings');
  await eventually(() => focusedFinding(page)).toBe(id);
  expect(await scrolled()).toBe(place);
});

test('point 14: after many steps by key the row of the last finding is in sight and has the focus', async () => {
  await openList();
  const ids = await idsInOrder();
  await page.keyboard.press('j');
  await eventually(() => focusedFinding(page)).toBe(ids[0]);
  await page.keyboard.press('Enter');
  await isOpen(ids[0]);
  // as fast as keys come: none may be lost
  for (let step = 0; step < 70; step += 1) await page.keyboard.press('j');
  await isOpen(ids[70]);
  await page.keyboard.press('k');
  await isOpen(ids[69]);
  await page.keyboard.press('Escape');
  await isAt('/findings');
  await eventually(() => focusedFinding(page)).toBe(ids[69]);
  await page.keyboard.press('j');
  await eventually(() => focusedFinding(page)).toBe(ids[70]);
  const row = await page.locator('tr.ft-row', { has: page.locator(`[data-finding="${ids[70]}"]`) }).boundingBox();
  const box = await page.locator('.ft-scroll').boundingBox();
  expect(row?.y).toBeGreaterThanOrEqual(box?.y ?? Infinity);
  expect((row?.y ?? Infinity) + (row?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0) + 1);
});

test('point 14: a verdict in the panel keeps the place: next is what moved up, and Esc has it in focus', async () => {
  await openList();
  const ids = await idsInOrder();
  await listRows(page).nth(4).getByRole('link').first().click();
  await isOpen(ids[4]);
  await findingPanel(page).getByRole('button', { name: 'False positive', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Only in the tests');
  await page.keyboard.press('Enter');
  await page.getByText('1 marked false positive').waitFor();
  await eventually(async () => await listRows(page).nth(4).locator('[data-finding]').getAttribute('data-finding')).toBe(
    ids[5],
  );
  await isOpen(ids[4]);
  await page.keyboard.press('j');
  await isOpen(ids[5]);
  await page.keyboard.press('Escape');
  await eventually(() => focusedFinding(page)).toBe(ids[5]);
});
