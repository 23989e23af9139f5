import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { COLUMN_KEYS } from '@breakwater/core/findings/model/column-catalogue.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type ApiClient, addRepository, setUp } from '../../harness/api.ts';
import { DESKTOP, launchBrowser, newVisitor, takeShot, type Visitor } from '../../harness/browser.ts';
import { PASSWORD } from '../../harness/database.ts';
import { type Installation, startInstallation } from '../../harness/installation.ts';
import { eventually } from '../../harness/journey.ts';
import { findingPanel, listCount, listRows, signInOnScreen } from '../../harness/screens.ts';
import { ROOT } from '../../harness/server.ts';
import { visit } from '../../harness/visit.ts';

/** Issue 16, points 1 and 3: a row says what it is in lists of every kind, and a finding that is opened by its address has its place. */

const SAMPLES = path.join(ROOT, 'plugins/scanners/src/server/__fixtures__/reports');
const REPORTS = [
  'prowler/aws_prowler_v3plus__many_vuln.ocsf.json',
  'zap/dvwa_baseline_dojo.xml',
  'chainbench/readme_example.json',
];

let installation: Installation;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  api = await setUp(installation.server);
  const repository = await addRepository(api, 'harbour');
  for (const name of REPORTS) {
    const bytes = new Uint8Array(await readFile(path.join(SAMPLES, name)));
    const { body } = await api.upload(repository, path.basename(name), bytes);
    expect(body.data.status, name).toBe('done');
  }
  visitor = await newVisitor(browser, installation.server.url);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  page = visitor.page;
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});

const countOf = async (): Promise<number> => {
  await eventually(() => listCount(page).innerText()).toMatch(/^[\d,]+ (?:findings?|of)/);
  return Number(/^[\d,]+/.exec(await listCount(page).innerText())?.[0].replaceAll(',', ''));
};

/** Their texts, as far as rows are in the document. */
const places = (): Promise<string[]> => listRows(page).locator('.loc').allInnerTexts();

test.each(['/findings', '/findings/all', '/cloud', '/scm'])('in %s every row says where it is', async (address) => {
  await visit(page, address);
  await takeShot(page, `rows${address.replaceAll('/', '-')}`);
  expect(await countOf()).toBeGreaterThan(0);
  const shown = await places();
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter((place) => place.trim() === '')).toEqual([]);
});

test('a row of a cloud names the resource', async () => {
  const { rows } = {
    rows: await installation.database.query('select resource from finding_details where resource is not null'),
  };
  await visit(page, '/cloud');
  await listRows(page).first().waitFor();
  const known = rows.map(({ resource }) => String(resource));
  const [first = ''] = await listRows(page)
    .locator('.loc')
    .evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? ''));
  expect(known).toContain(first);
  expect(await page.getByRole('columnheader', { name: 'Signals' }).count()).toBe(0);
});

test.each(['/findings/all', '/cloud', '/scm'])(
  'opened by its address in %s a finding has its place and neighbours',
  async (address) => {
    await visit(page, address);
    const count = await countOf();
    const ids = await listRows(page)
      .locator('[data-finding]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('data-finding')));
    const id = ids[Math.min(2, ids.length - 1)];
    await page.goto(`${address}/finding-details/${id}`);
    const place = Math.min(3, count);
    await findingPanel(page).getByText(`${place} of ${count}`, { exact: true }).waitFor();
    if (count > 1) {
      await page.keyboard.press('k');
      await page.waitForURL((url) => url.pathname === `${address}/finding-details/${ids[place - 2]}`);
      await findingPanel(page)
        .getByText(`${place - 1} of ${count}`, { exact: true })
        .waitFor();
    }
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.pathname === address);
  },
);

test('a view that somebody shares is there for others at once, and starred it is in their navigation until it is taken back', async () => {
  const { username } = await installation.database.addUser('cyberoper');
  const colleague = await newVisitor(browser, installation.server.url);
  colleague.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(colleague.page, username, PASSWORD);
  await visit(colleague.page, '/findings');
  const { body } = await api.call('POST', '/findings-filter/save', {
    name: 'Release',
    filters: [{ severity: 'critical' }],
  });
  const id: string = body.data._id;
  await api.call('PUT', '/findings-filter/share', { id, shared: true });
  const tab = colleague.page.getByRole('link', { name: 'Release' });
  await colleague.page.getByRole('button', { name: /^Views/ }).click();
  await colleague.page.getByText('Release').first().waitFor();
  await colleague.page.getByRole('button', { name: 'Show Release in the navigation' }).click();
  const rail = colleague.page.getByRole('navigation', { name: 'Main' });
  await rail.getByRole('link', { name: 'Release' }).waitFor();
  await api.call('PUT', '/findings-filter/share', { id, shared: false });
  await rail.getByRole('link', { name: 'Release' }).waitFor({ state: 'detached' });
  expect(await tab.count()).toBe(0);
  colleague.assertCalm();
  await colleague.context.close();
});

test('a table wider than its window scrolls sideways, and what was found keeps its room', async () => {
  const { status } = await api.call('POST', '/findings-columns/save', { columns: COLUMN_KEYS });
  expect(status).toBe(200);
  await page.goto('/findings');
  await listRows(page).first().waitFor();
  const box = page.locator('.ft-scroll');
  const { wider, page: pageWider } = await box.evaluate((element) => ({
    wider: element.scrollWidth - element.clientWidth,
    page: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }));
  await takeShot(page, 'rows-all-columns');
  expect(wider).toBeGreaterThan(DESKTOP.width);
  expect(pageWider).toBe(0);
  const title = await listRows(page).first().locator('.title-line').boundingBox();
  expect(title?.width).toBeGreaterThan(200);
  await box.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  await takeShot(page, 'rows-all-columns-right');
  await eventually(() => box.evaluate((element) => element.scrollLeft)).toBeGreaterThan(DESKTOP.width);
  visitor.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
