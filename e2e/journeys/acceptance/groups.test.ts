import type { Browser, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, seededJourney } from '../../harness/journey.ts';
import { findingPanel } from '../../harness/screens.ts';

let page: Page;
let browser: Browser;

seededJourney((journey) => {
  ({ page, browser } = journey);
});

const heads = (table: Locator): Locator => table.locator('tr.group-head');
const members = (table: Locator): Locator => table.locator('tr.group-member');
const bar = (): Locator => page.getByRole('toolbar', { name: 'Selected findings' });
const countIn = async (head: Locator): Promise<number> =>
  Number((await head.getByRole('link').innerText()).replaceAll(/\D/g, ''));
const stateOf = (box: Locator): Promise<boolean | 'mixed'> =>
  box.evaluate((one) => (one instanceof HTMLInputElement && one.indeterminate ? 'mixed' : Object(one).checked));

test('a group opens in its place, its box picks all of it, and one decision is about all of it', async () => {
  expect(browser.isConnected()).toBe(true);
  await page.goto('/findings?group=component');
  const table = page.getByRole('table', { name: 'Findings by component' });
  await heads(table).first().waitFor();
  const priorities = (await heads(table).locator('.group-priority').allInnerTexts()).map(Number);
  expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
  const head = heads(table).first();
  const count = await countIn(head);
  await head.getByRole('button').click();
  await eventually(() => members(table).count()).toBe(Math.min(count, 50));
  const box = head.getByRole('checkbox');
  await members(table).first().getByRole('checkbox').check();
  await eventually(() => stateOf(box)).toBe(count === 1 ? true : 'mixed');
  await box.check();
  await bar().getByText(`${count} selected`).waitFor();
  await eventually(() => members(table).locator('input:checked').count()).toBe(Math.min(count, 50));
  await members(table).first().getByRole('checkbox').uncheck();
  await bar()
    .getByText(`${count - 1} selected`)
    .waitFor();
  await eventually(() => stateOf(box)).toBe('mixed');
  await box.check();
  const second = heads(table).nth(1);
  const both = count + (await countIn(second));
  await second.getByRole('checkbox').check();
  await bar().getByText(`${both} selected`).waitFor();
  await bar().getByRole('button', { name: 'False positive' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').first().fill('Not built into the application');
  await dialog.getByRole('button', { name: /^Mark/ }).click();
  await page.getByText(`${both} marked false positive`).waitFor();
  await eventually(() => bar().count()).toBe(0);
  await page.keyboard.press('u');
  await page.getByText(`${both} taken back`).waitFor();
});

test('the keys go through groups and their findings; an open finding keeps its group beside it', async () => {
  await page.goto('/findings?group=rule');
  const table = page.getByRole('table', { name: 'Findings by rule' });
  await heads(table).first().waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.className);
  await page.keyboard.press('j');
  await eventually(focused).toBe('group-head');
  await page.keyboard.press('Enter');
  await members(table).first().waitFor();
  await page.keyboard.press('j');
  await eventually(focused).toBe('group-member');
  await page.keyboard.press('x');
  await bar().getByText('1 selected').waitFor();
  await page.keyboard.press('Escape');
  await eventually(() => bar().count()).toBe(0);
  await page.keyboard.press('k');
  await eventually(focused).toBe('group-head');
  await page.keyboard.press('x');
  await bar()
    .getByText(/^[\d,]+ selected/)
    .waitFor();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await findingPanel(page).getByRole('heading').first().waitFor();
  const address = page.url();
  await members(table).first().waitFor();
  await page.keyboard.press('j');
  await page.waitForURL((url) => url.href !== address);
  await eventually(() => table.locator('tr.group-member[aria-current="true"]').count()).toBe(1);
  await page.keyboard.press('Escape');
  await eventually(() => findingPanel(page).count()).toBe(0);
  await eventually(focused).toBe('group-member');
});

test.each(['fix', 'component', 'vulnerability', 'rule', 'file', 'repository'])(
  'groups by %s are offered',
  async (by) => {
    await page.goto('/findings');
    await page.getByLabel('Group by').selectOption(by);
    await page.waitForURL(`**group=${by}`);
    await page.locator('[data-groups] [data-group]').first().waitFor();
  },
);
