import type { Browser, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { PHONE, type Visitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import type { Seeded } from '../harness/installation.ts';
import { eventually, seededJourney, stopAfterFailure } from '../harness/journey.ts';
import { findingPanel, focusedFinding, listCount, listRows } from '../harness/screens.ts';

/** Minutes 7 to 8 of experience.md: a finding is sent to a developer, who signs in: a notice, and only what is assigned. */

const PEOPLE = 3;

let seeded: Seeded;
let browser: Browser;
let page: Page;
let username: string;
let developer: Visitor;
const sent: string[] = [];

seededJourney(
  (journey) => {
    ({ seeded, browser, page } = journey);
  },
  async ({ database }) => {
    ({ username } = await database.addUser('developer'));
    for (let index = 1; index < PEOPLE; index += 1) await database.addUser('developer');
  },
);
stopAfterFailure();
afterAll(() => developer?.context.close());

const assign = async (count: string) => {
  const dialog = page.getByRole('dialog', { name: `Assign ${count}` });
  await dialog.getByRole('option', { name: username }).click();
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
};

test('the open finding is sent by one key, and the choice says what the developer will see', async () => {
  await page.goto('/findings');
  await listRows(page).first().getByRole('link').first().click();
  await findingPanel(page).getByRole('heading', { name: 'Why this score' }).waitFor();
  sent.push(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Assign 1 finding' });
  await dialog.getByText('They get a notice and see what is assigned to them.').waitFor();
  await eventually(() => dialog.getByRole('option').count()).toBe(PEOPLE);
  expect(await accessibilityIssues(page)).toEqual([]);
  await assign('1 finding');
  await findingPanel(page)
    .getByRole('tab', { name: /History/ })
    .click();
  await findingPanel(page).getByText(username).first().waitFor();
  await page.keyboard.press('Escape');
});

test('the developer signs in on a phone: one notice, and every page counts what is assigned alone', async () => {
  developer = await seeded.visit(browser, { username, password: PASSWORD, viewport: PHONE });
  const own = developer.page;
  await own.locator('.bell-count').getByText('1').waitFor();
  await own.goto('/notifications');
  expect(await accessibilityIssues(own)).toEqual([]);
  await own.getByRole('link', { name: 'A finding was assigned to you' }).click();
  await own.waitForURL(`**/finding-details/${sent[0]}`);
  await own.getByRole('heading', { name: 'Why this score' }).waitFor();
  // read by being opened
  await own.goto('/notifications');
  await own.getByText('You have read everything').waitFor();
  expect(await own.locator('.bell-count').count()).toBe(0);

  await own.goto('/findings/all');
  await eventually(() => listCount(own).innerText()).toBe('1 finding');
  await eventually(() => listRows(own).count()).toBe(1);
  await own.goto('/');
  const figure = own.getByRole('navigation', { name: 'Figures' }).getByRole('link', { name: /Open findings/ });
  await eventually(() => figure.innerText()).toMatch(/(^|\D)1(\D|$)/);
  await own.goto('/Repositories');
  await own.getByText('You own no repository').waitFor();
});

test('more are sent from the list: the open page of the developer counts them without a reload', async () => {
  const own = developer.page;
  await own.goto('/findings/all');
  await eventually(() => listCount(own).innerText()).toBe('1 finding');
  await listRows(page).nth(3).getByRole('link').first().focus();
  for (let index = 0; index < 2; index += 1) {
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    sent.push((await focusedFinding(page)) ?? '');
  }
  await page.keyboard.press('a');
  await assign('2 findings');
  await own.locator('.bell-count').getByText('1').waitFor();
  await own.goto('/notifications');
  await own.getByRole('link', { name: '2 findings were assigned to you' }).click();
  await eventually(() => listCount(own).innerText()).toBe('3 findings');
  const rows = await listRows(own).evaluateAll((all) =>
    all.map(
      (row) =>
        row.getAttribute('data-finding') ?? row.querySelector('[data-finding]')?.getAttribute('data-finding') ?? '',
    ),
  );
  expect(rows.toSorted()).toEqual(sent.toSorted());
});

test('what was not sent stays closed: its address says that there is no such finding', async () => {
  const own = developer.page;
  const foreign = await listRows(page).last().getByRole('link').first().getAttribute('href');
  expect(sent.some((id) => foreign?.includes(id))).toBe(false);
  developer.expectTrouble(/answer: 404|console: .*PageError/s);
  await own.goto(`/findings/finding-details/${foreign?.split('?')[0]?.split('/').at(-1)}`);
  await own.getByText('Finding data not found').waitFor();
  developer.assertCalm();
});
