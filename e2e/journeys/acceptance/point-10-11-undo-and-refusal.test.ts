import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Visitor } from '../../harness/browser.ts';
import { PASSWORD } from '../../harness/database.ts';
import type { Seeded } from '../../harness/installation.ts';
import { seededJourney } from '../../harness/journey.ts';
import { listRows } from '../../harness/screens.ts';

let seeded: Seeded;
let browser: Browser;
let visitor: Visitor;
let page: Page;

seededJourney((journey) => {
  ({ seeded, browser, visitor, page } = journey);
});

const panel = () => page.getByRole('complementary', { name: 'Finding' });
const open = async (): Promise<string> => {
  await page.goto(`/findings`);
  await listRows(page).first().getByRole('link').first().click();
  await panel().getByRole('button', { name: 'Verdict' }).waitFor();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
};
const verdictOf = async (id: string): Promise<string> =>
  (await seeded.api.call('GET', `/findings/${id}`)).body.data.attributes.verdict;

test('10: a verdict is taken back from its toast, and later from the history, which says who, when, from, to and why', async () => {
  const id = await open();
  await panel().getByRole('button', { name: 'False positive', exact: true }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await page.keyboard.type('Dead code');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(() => verdictOf(id)).toBe('none');
  await panel().getByRole('button', { name: 'Verdict' }).click();
  await page.getByRole('menuitem', { name: 'Risk accepted…' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await page.keyboard.type('Behind the VPN');
  await page.keyboard.press('Enter');
  await expect.poll(() => verdictOf(id)).toBe('accepted_risk');
  await panel()
    .getByRole('tab', { name: /History/ })
    .click();
  await panel().getByText('Verdict: To triage → Risk accepted').waitFor();
  await panel().getByText('Behind the VPN').waitFor();
  await panel().getByText('ada').first().waitFor();
  await panel().getByRole('button', { name: 'Undo: Verdict: To triage → Risk accepted' }).click();
  await expect.poll(() => verdictOf(id)).toBe('none');
});

test('10: status, severity, owner, tags and notes of a finding change in its panel', async () => {
  const id = await open();
  await panel().getByRole('tab', { name: 'Decisions' }).click();
  await panel().getByLabel('Severity').selectOption('Informational');
  await panel().getByText('The report says').waitFor();
  await panel().getByLabel('Status').selectOption('Ready to fix');
  await panel().getByLabel('Tags').fill('payment, urgent');
  await panel().getByLabel('Notes').fill('Ask the team');
  await panel().getByRole('button', { name: 'Save tags and notes' }).click();
  const read = async () => (await seeded.api.call('GET', `/findings/${id}`)).body.data.attributes;
  await expect
    .poll(async () => {
      const { severity, status, tags, notes } = await read();
      return { severity, status, tags, notes };
    })
    .toEqual({ severity: 'informational', status: 'ready', tags: ['payment', 'urgent'], notes: 'Ask the team' });
});

test('11: a change that the server refuses goes back where everybody sees it, with the reason', async () => {
  await open();
  visitor.expectTrouble(/answer: 409 PUT/);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/v1/findings/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    await promise;
    return route.fulfill({
      status: 409,
      json: { detail: 'Somebody else was faster.', code: 'conflict', request_id: 'x' },
    });
  });
  await panel().getByRole('button', { name: 'Verdict' }).click();
  await page.getByRole('menuitem', { name: 'Mitigated externally…' }).click();
  await page.getByRole('dialog').locator('textarea:focus').waitFor();
  await page.keyboard.press('Enter');
  const shown = panel().getByRole('tabpanel').getByText('Mitigated externally');
  await shown.waitFor();
  resolve();
  await page.getByText('Somebody else was faster.').waitFor();
  await shown.waitFor({ state: 'detached' });
  await page.unroute('**/api/v1/findings/*');
});

test('20: a developer sees what is theirs, proposes, and sees who decides', async () => {
  const developer = await seeded.database.addUser('developer');
  const { body } = await seeded.api.call('GET', '/findings?pagination[pageSize]=1');
  const id = body.data[0]._id;
  await seeded.api.call('POST', `/finding-send/${id}`, { developer_ids: [developer.id] });
  const theirs = await seeded.visit(browser, { username: developer.username, password: PASSWORD });
  await theirs.page.goto(`/findings/all/finding-details/${id}`);
  const view = theirs.page.getByRole('complementary', { name: 'Finding' });
  await view.getByText('An admin or security operator decides').waitFor();
  expect(await view.getByRole('button', { name: 'False positive' }).isDisabled()).toBe(true);
  await view.getByRole('button', { name: 'Propose a verdict' }).click();
  await expect.poll(() => theirs.page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await theirs.page.keyboard.type('Only in the demo');
  await theirs.page.keyboard.press('Enter');
  await view.getByRole('note').getByText('proposes: False positive').waitFor();
  theirs.assertCalm();
  await page.goto(`/findings/all/finding-details/${id}`);
  await panel().getByRole('note').getByRole('button', { name: 'Accept' }).click();
  await expect.poll(() => verdictOf(id)).toBe('false_positive');
});
