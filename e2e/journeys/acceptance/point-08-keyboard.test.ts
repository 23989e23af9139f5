import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Seeded } from '../../harness/installation.ts';
import { eventually, seededJourney } from '../../harness/journey.ts';
import { findingPanel, focusedFinding, listCount, listRows } from '../../harness/screens.ts';

let seeded: Seeded;
let page: Page;

seededJourney(
  (journey) => {
    ({ seeded, page } = journey);
  },
  // without somebody to assign to, the key is not offered
  async ({ database }) => {
    await database.addUser('developer');
  },
);
beforeAll(async () => {
  await page.goto('/findings');
  await listRows(page).first().getByRole('link').first().waitFor();
});

const total = async (): Promise<number> =>
  Number((await listCount(page).innerText()).replaceAll(/\D.*$/gs, '').replaceAll(',', ''));
const shown = async (): Promise<number> => {
  const { body } = await seeded.api.call('GET', '/findings?filters[false_positive]=only&pagination[pageSize]=1');
  return body.meta.pagination.total;
};
const focusedRow = (): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.closest('tr.ft-row')?.getAttribute('aria-rowindex') ?? null);

const focusedId = () => focusedFinding(page);
const bar = () => page.getByRole('toolbar', { name: 'Selected findings' });

test('8: ten findings are judged by keys alone; the focus stays in the list', async () => {
  const before = await shown();
  const start = performance.now();
  await page.keyboard.press('j');
  await eventually(focusedRow).toBe('2');
  for (let done = 0; done < 10; done += 1) {
    const id = await focusedId();
    await page.keyboard.press('f');
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.type(`Not reached ${done}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(shown).toBe(before + done + 1);
    await eventually(focusedRow).toBe('2');
    // the next finding has moved up under the focus
    await eventually(focusedId).not.toBe(id);
  }
  process.stdout.write(`ten verdicts by keyboard: ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
});

test('8: j and k walk the list as fast as keys come, Enter opens, Esc comes back to the row', async () => {
  await page.goto('/findings');
  await listRows(page).first().waitFor();
  for (let step = 0; step < 60; step += 1) await page.keyboard.press('j');
  await eventually(focusedRow).toBe('61');
  for (let step = 0; step < 58; step += 1) await page.keyboard.press('k');
  await eventually(focusedRow).toBe('3');
  const id = await focusedId();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/finding-details/${id}`);
  await findingPanel(page).getByRole('heading', { name: 'Why this score' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => url.pathname === '/findings');
  await eventually(focusedId).toBe(id);
  await page.keyboard.press('j');
  await eventually(focusedRow).toBe('4');
});

test('8: a digit gives a usual reason, u takes the decision back, v confirms, e asks for the risk', async () => {
  await listRows(page).first().getByRole('link').first().focus();
  const id = await focusedId();
  const before = await shown();
  await page.keyboard.press('f');
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.press('1');
  await eventually(() => page.locator('textarea:focus').inputValue()).toBe('Test code');
  await page.keyboard.press('Enter');
  await eventually(shown).toBe(before + 1);
  await page.getByText('1 marked false positive').waitFor();
  await page.keyboard.press('u');
  await eventually(shown).toBe(before);
  const verdict = async () => (await seeded.api.call('GET', `/findings/${id}`)).body.data.attributes.verdict;
  await listRows(page).locator(`[data-finding="${id}"]`).focus();
  await page.keyboard.press('v');
  await eventually(verdict).toBe('valid');
  await page.getByText('1 confirmed as valid').waitFor();
  await page.keyboard.press('Control+z');
  await eventually(verdict).toBe('none');
  await listRows(page).locator(`[data-finding="${id}"]`).focus();
  await page.keyboard.press('e');
  await page.getByRole('dialog').getByText('Accept the risk of 1 finding').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('8: x selects, Shift and x a range, f and a mean the selection, Esc drops it', async () => {
  // the list that was read again after the undo keeps the row in focus
  await eventually(focusedRow).toMatch(/^\d+$/);
  const first = Number(await focusedRow());
  await page.keyboard.press('x');
  await bar().getByText('1 selected').waitFor();
  for (let step = 1; step <= 3; step += 1) {
    await page.keyboard.press('j');
    await eventually(focusedRow).toBe(String(first + step));
  }
  await page.keyboard.press('Shift+X');
  await bar().getByText('4 selected').waitFor();
  await page.keyboard.press('f');
  await page.getByRole('dialog').getByText('Mark 4 findings false positive').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('a');
  await page
    .getByRole('dialog')
    .getByText(/4 findings/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await bar().getByText('4 selected').waitFor();
  await page.keyboard.press('Escape');
  await bar().waitFor({ state: 'detached' });
});

test('8: a box that was ticked by mouse swallows no key', async () => {
  await listRows(page).nth(5).getByRole('checkbox').check();
  await bar().getByText('1 selected').waitFor();
  await page.keyboard.press('j');
  await eventually(focusedRow).toBe('8');
  await page.keyboard.press('x');
  await bar().getByText('2 selected').waitFor();
  await listRows(page).nth(5).getByRole('checkbox').uncheck();
  await page.keyboard.press('Escape');
  await bar().waitFor({ state: 'detached' });
});

test('8: no key acts while somebody types or a dialog is open; ? names every key', async () => {
  const before = await total();
  await page.keyboard.press('/');
  await page.keyboard.type('fajkx?');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByPlaceholder('Search title, path, CVE').fill('');
  await eventually(total).toBe(before);
  await listRows(page).first().getByRole('link').first().focus();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('False positive').waitFor();
  for (const key of ['j', 'k', 'x', 'f', 'v', 'e', 'u', 'a', '/', '?'])
    await eventually(() => dialog.getByText(key, { exact: true }).count()).toBe(1);
  await page.keyboard.press('f');
  await eventually(() => page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('8: the palette acts on the row in focus, and opens a finding by its id', async () => {
  await listRows(page).nth(2).getByRole('link').first().focus();
  const id = await listRows(page).nth(2).locator('[data-finding]').getAttribute('data-finding');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'What to do or to find' });
  await field.fill('accept');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Accept the risk of 1 finding').waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await page.keyboard.press('Enter');
  await dialog.getByText('Say why the risk is accepted.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await field.fill(id ?? '');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/findings/all/finding-details/${id}`);
});

test('8: the palette finds findings and repositories by what is typed, and goes there by keys', async () => {
  const found = await seeded.api.call('GET', '/findings?filters[status][]=enriched&pagination[pageSize]=1');
  const { file_path: path } = found.body.data[0].attributes;
  const { body } = await seeded.api.call('GET', '/repositories?pagination[pageSize]=1');
  const [repository] = body.data;
  const field = page.getByRole('combobox', { name: 'What to do or to find' });
  // from where no finding is open: the address tells when one is
  await page.goto('/findings');
  await listRows(page).first().waitFor();
  await page.keyboard.press('Control+k');
  await field.fill(path);
  const hit = page.getByRole('group', { name: 'Findings' }).getByRole('option').first();
  await hit.waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/finding-details/**');
  await findingPanel(page).getByRole('heading', { name: 'Why this score' }).waitFor();
  await page.keyboard.press('Control+k');
  await field.fill(repository.attributes.nickname);
  // the same name word for word: its group is the first
  await page.getByRole('group', { name: 'Repositories' }).getByRole('option', { selected: true }).waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/Repositories/${repository._id}`);
});
