import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Visitor } from '../../harness/browser.ts';
import type { Seeded } from '../../harness/installation.ts';
import { eventually, seededJourney } from '../../harness/journey.ts';
import { listCount, listRows } from '../../harness/screens.ts';

let seeded: Seeded;
let browser: Browser;
let visitor: Visitor;
let page: Page;

seededJourney((journey) => {
  ({ seeded, browser, visitor, page } = journey);
});

/** The columns of point 6, which point 22 exports. */
const CHOSEN = ['CVSS', 'Priority', 'Tool', 'Severity', 'Finding', 'Signals', 'Type', 'Status', 'Found here'];

/** The first header is the box that selects all. */
const headers = async (of: Page) => (await of.locator('.ft-head th').allInnerTexts()).filter((text) => text !== '');
const isAt = (holds: (params: URLSearchParams) => boolean) => page.waitForURL((url) => holds(url.searchParams));

test('point 7: of 10,000 rows at most 60 are in the document, and the last one is reached', async () => {
  await page.goto('/findings/all');
  await listRows(page).first().waitFor();
  const total = Number((await listCount(page).innerText()).replaceAll(/\D/g, ''));
  expect(total).toBe(10_000);
  for (const share of [0.2, 0.5, 0.9, 1]) {
    await page.locator('.ft-scroll').evaluate((box, part) => box.scrollTo(0, box.scrollHeight * part), share);
    await eventually(() => page.locator('tr.ft-row.is-waiting').count()).toBe(0);
    expect(await page.locator('tr.ft-row').count()).toBeLessThanOrEqual(60);
  }
  await eventually(() => page.locator('tr.ft-row').last().getAttribute('aria-rowindex')).toBe(String(total + 1));
  await listRows(page).last().getByRole('link').first().click();
  await page.waitForURL('**/finding-details/**');
  await page.keyboard.press('Escape');
});

test('point 4: a view is saved, changed, activated and deleted in two clicks each; a change is marked', async () => {
  await page.goto('/findings?status=open&severity=critical');
  await listRows(page).first().waitFor();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Save what the list shows now').fill('Critical first');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Success save filter findings!').waitFor();
  await page.getByRole('button', { name: 'Views: Critical first', exact: true }).waitFor();
  await page.keyboard.press('Escape');

  await page.getByPlaceholder('Search title, path, CVE').fill('input');
  await isAt((params) => params.get('search') === 'input');
  const count = await listCount(page).innerText();
  await page.getByRole('button', { name: 'Views: Critical first, changed' }).click();
  await page.getByRole('button', { name: 'Update “Critical first”' }).click();
  await page.getByText('Success update filter findings!').waitFor();
  await page.getByRole('button', { name: 'Views: Critical first', exact: true }).waitFor();

  await page.goto('/');
  await page.goto('/findings');
  await isAt((params) => params.get('search') === 'input' && params.get('severity') === 'critical');
  await eventually(() => listCount(page).innerText()).toBe(count);

  await page.goto('/findings?status=open&severity=low');
  await page.getByRole('button', { name: 'Views: Critical first, changed' }).click();
  await page
    .getByRole('list', { name: 'Saved views' })
    .getByRole('button', { name: 'Critical first', exact: true })
    .click();
  await page.getByText('Success activate filter findings!').waitFor();
  await isAt((params) => params.get('severity') === 'critical');

  await page.getByRole('button', { name: 'Delete the view Critical first' }).click();
  await page.getByText('Success remove filter findings!').waitFor();
  await page.getByText('No saved views yet.').waitFor();
  await page.getByRole('button', { name: 'Views', exact: true }).waitFor();
});

test('point 4: a saved view whose options are gone still opens a list', async () => {
  const { body } = await seeded.api.call('POST', '/findings-filter/save', {
    name: 'Old',
    filters: [{ severity: 'high' }],
  });
  await seeded.database.query(
    `update saved_finding_filters set filters = '[{"gone":"x"},{"severity":"fatal"},{"repository":"no"}]'`,
  );
  await seeded.api.call('POST', '/findings-filter/activate', { id: body.data._id });
  await page.goto('/findings');
  await page.getByRole('button', { name: /^Views: Old/ }).waitFor();
  await listRows(page).first().waitFor();
  await seeded.api.call('DELETE', '/findings-filter/delete', { id: body.data._id });
});

test('point 6: columns are chosen, moved and resized by pointer and keyboard, and are there on another computer', async () => {
  await page.setViewportSize({ width: 1800, height: 900 });
  await page.goto('/findings/all');
  await listRows(page).first().waitFor();
  expect(await headers(page)).toEqual([
    'Priority',
    'Severity',
    'Finding',
    'Signals',
    'Tool',
    'Type',
    'Status',
    'Found here',
  ]);
  await page.getByRole('button', { name: 'Columns' }).click();
  const menu = page.getByRole('list', { name: 'Columns of the list' });
  await menu.getByRole('checkbox', { name: 'CVSS', exact: true }).focus();
  await page.keyboard.press('Space');
  await menu.getByRole('button', { name: /^Move CVSS,/ }).focus();
  await page.keyboard.press('Home');
  await menu.locator('li', { hasText: /^Tool$/ }).dragTo(menu.locator('li', { hasText: /^Severity$/ }));
  await page.keyboard.press('Escape');
  await eventually(() => headers(page)).toEqual(CHOSEN);

  const width = async () =>
    Math.round((await page.getByRole('columnheader', { name: 'Tool' }).boundingBox())?.width ?? 0);
  const before = await width();
  const grip = page.getByRole('separator', { name: 'Width of Tool' });
  await grip.focus();
  await page.keyboard.press('ArrowRight');
  await eventually(width).toBe(before + 16);
  const box = await grip.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 4, (box?.y ?? 0) + 10);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 54, (box?.y ?? 0) + 10, { steps: 4 });
  const saved = page.waitForResponse((response) => response.url().endsWith('/findings-columns/save'));
  await page.mouse.up();
  await saved;
  await eventually(width).toBe(before + 66);

  const elsewhere = await seeded.visit(browser);
  await elsewhere.page.goto('/findings/all');
  await eventually(() => headers(elsewhere.page)).toEqual(CHOSEN);
  const there = await elsewhere.page.getByRole('columnheader', { name: 'Tool' }).boundingBox();
  expect(Math.round(there?.width ?? 0)).toBe(before + 66);
  elsewhere.assertCalm();
  await elsewhere.context.close();
});

const exported = async (format: string): Promise<string> => {
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).click(),
  ]);
  return readFile(await download.path(), 'utf8');
};

test('point 22: CSV and JSON hold exactly the rows that are shown and the columns that were chosen, CSV also what stands below a title, formulas harmless', async () => {
  await seeded.database.query(
    `update finding_definitions set title = '=HYPERLINK("http://evil.example")' where id = (select min(definition_id) from findings where severity = 4 and tool = 'opengrep' and status = 'enriched')`,
  );
  await page.goto('/findings?status=enriched&severity=critical&tool=opengrep,trivy');
  await listRows(page).first().waitFor();
  const total = Number((await listCount(page).innerText()).split(' of ')[0]?.replaceAll(/\D/g, ''));
  // the list leaves out what says the same in every row; a file is read without the list, and has it
  await page.getByText('In every row: Tool').waitFor();
  expect(await headers(page)).toEqual(CHOSEN.filter((name) => name !== 'Tool' && name !== 'Type'));
  const { body } = await seeded.api.get(
    '/findings?filters[status]=enriched&filters[severity]=critical&filters[tool]=opengrep,trivy&filters[false_positive]=hide&filters[accepted_risk]=hide&filters[is_duplicate]=hide&pagination=false',
  );
  const rows: { _id: string; attributes: { priority: number; title: string } }[] = body.data;
  expect(rows).toHaveLength(total);

  const csv = (await exported('CSV'))
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n');
  expect(csv[0]).toBe([...CHOSEN, 'CVE', 'Component', 'Version', 'File', 'Line'].join(','));
  expect(csv).toHaveLength(total + 1);
  expect(csv.filter((line) => /(^|,)"?[=+\-@\t]/.test(line))).toEqual([]);
  expect(csv.some((line) => line.includes(`"'=HYPERLINK(""http://evil.example"")"`))).toBe(true);

  const json = JSON.parse(await exported('JSON'));
  expect(json.data.map((row: { _id: string }) => row._id)).toEqual(rows.map((row) => row._id));
  expect(Object.keys(json.data[0].attributes)).toContain('cvssv3_score');
  expect(Object.keys(json.data[0].attributes)).not.toContain('category');
});

test('a failed export says so and can be tried again', async () => {
  visitor.expectTrouble(/download_csv_findings/);
  await page.route('**/download_csv_findings*', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await page.getByText('Failed to download file').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Try again' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^findings-\d{4}-\d\d-\d\d\.csv$/);
});

test('a finding has its part of the list: columns that say the same in every row, or for which there is no room, step back', async () => {
  await seeded.api.call('POST', '/findings-columns/save', { columns: [], widths: {} });
  for (const [width, address, shown] of [
    [1440, '/findings?status=open', ['Priority', 'Severity', 'Finding', 'Signals', 'Tool', 'Found here']],
    [1440, '/findings/all', ['Priority', 'Severity', 'Finding', 'Signals', 'Status', 'Found here']],
    [1920, '/findings/all?tool=trivy', ['Priority', 'Severity', 'Finding', 'Signals', 'Status', 'Found here']],
    [
      1920,
      '/findings/all?tool=trivy,opengrep',
      ['Priority', 'Severity', 'Finding', 'Signals', 'Tool', 'Type', 'Status', 'Found here'],
    ],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(address);
    await listRows(page).first().waitFor();
    await eventually(() => headers(page)).toEqual(shown);
    const finding = (await page.getByRole('columnheader', { name: 'Finding' }).boundingBox())?.width ?? 0;
    const list = (await page.locator('.ft-scroll').boundingBox())?.width ?? 1;
    expect(finding / list).toBeGreaterThanOrEqual(0.45);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});
