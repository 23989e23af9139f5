import { readFile } from 'node:fs/promises';
import { seedFindings } from '@breakwater/benchmarks/seed.ts';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { setUp } from '../harness/api.ts';
import { DESKTOP, launchBrowser, newVisitor, PHONE, takeShot, type Visitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { stopAfterFailure } from '../harness/journey.ts';
import { listCount, listRows, signInOnScreen } from '../harness/screens.ts';

/** Issue 5, item 8: a superadmin reads inside a client with the list and the panel of its own people. */

const NAME = 'Lighthouse & Sons';
const FINDINGS = 600;

let installation: Installation;
let browser: Browser;
let visitor: Visitor;
let page: Page;
let clientId: string;
let username: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  const { server, database } = installation;
  await setUp(server);
  ({ username } = await database.addUser('superadmin'));
  const connection = new pg.Client({ connectionString: database.url });
  await connection.connect();
  ({ clientId } = await seedFindings(connection, { findings: FINDINGS, name: NAME }));
  await connection.end();
  visitor = await newVisitor(browser, server.url);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  ({ page } = visitor);
  await signInOnScreen(page, username, PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});
stopAfterFailure();

const rows = async (): Promise<number> =>
  Number((await listCount(page).innerText()).split(' ')[0]?.replaceAll(',', ''));

test('signing in leads to all clients, and the pages of an organisation lead there too', async () => {
  await page.waitForURL('**/manage-clients');
  await page.getByRole('heading', { name: 'Clients', exact: true }).waitFor();
  const rail = page.getByRole('navigation', { name: 'Main' });
  await rail.getByRole('link', { name: 'Clients' }).waitFor();
  expect(await rail.getByRole('link', { name: 'Findings' }).count()).toBe(0);
  await page.goto('/findings');
  await page.waitForURL('**/manage-clients');
});

test('a search finds the client, with its figures', async () => {
  await page.getByRole('main').getByRole('searchbox', { name: 'Search clients' }).fill('lighthouse');
  await page.waitForURL('**/manage-clients?search=lighthouse');
  await page.getByText('1 client', { exact: true }).waitFor();
  const [open] = await installation.database.query(
    `select count(*)::int as count from findings where client_id = $1 and status <> 'mitigated' and not is_duplicate
       and verdict not in ('false_positive', 'accepted_risk')`,
    [clientId],
  );
  await page.getByRole('link', { name: `${open?.['count']} open findings of ${NAME}` }).click();
  await page.waitForURL(`**/manage-clients/findings/${clientId}`);
  await page.getByRole('note', { name: 'Inside a client' }).getByText(NAME).waitFor();
  expect(await rows()).toBe(open?.['count']);
});

test('its overview says what it has, and puts it on trial', async () => {
  await page.getByRole('navigation', { name: 'Of this client' }).getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: NAME, level: 1 }).waitFor();
  for (const action of ['Put on trial', 'End the trial', 'Put on trial']) {
    await page.getByRole('button', { name: action }).click();
    await page.getByRole('dialog').getByRole('button', { name: action }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.getByText('On trial', { exact: true }).waitFor();
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityIssues(page), `${viewport.width} ${colorScheme}`).toEqual([]);
      await takeShot(page, `client-overview-${viewport.width}-${colorScheme}`);
    }
  }
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('navigation', { name: 'Of this client' }).getByRole('link', { name: 'Findings' }).click();
  await listRows(page).first().waitFor();
});

test('filters, groups and sorts as in the own list, by the address', async () => {
  const all = await rows();
  await page.getByRole('button', { name: 'Filter by Severity' }).click();
  await page.getByRole('option', { name: /Critical/ }).click();
  await page.waitForURL('**severity=critical**');
  await page.getByRole('button', { name: 'Filter by Severity, 1 chosen' }).click();
  await page.getByRole('dialog', { name: 'Severity' }).waitFor({ state: 'hidden' });
  await expect.poll(rows).toBeLessThan(all);
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('rule');
  await page.waitForURL('**group=rule**');
  const group = page.getByRole('table', { name: 'Findings by rule' }).getByRole('link').first();
  await group.click();
  await page.waitForURL('**rule=**');
  await listRows(page).first().waitFor();
  await page.goBack();
  await page.goBack();
  await page.waitForURL((url) => url.search === '?severity=critical');
  await listRows(page).first().waitFor();
});

test('a finding opens beside the list, with nothing to change, and the way back keeps the filter', async () => {
  const first = listRows(page).first();
  await first.getByRole('link').first().click();
  await page.waitForURL(`**/manage-clients/findings/finding-details/${clientId}/**severity=critical`);
  const panel = page.getByRole('complementary', { name: 'Finding' });
  await panel.getByRole('heading', { name: 'Why this score' }).waitFor();
  await panel.getByText('Read only: the people of this client decide.').waitFor();
  expect(await panel.getByRole('button', { name: /verdict|assign|false positive/i }).count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await panel.getByRole('tab', { name: /History/ }).click();
  await panel.getByText('First found here').first().waitFor();
  await page.reload();
  await panel.getByRole('heading', { name: 'Why this score' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(`**/manage-clients/findings/${clientId}?severity=critical`);
});

test('its frameworks count what the list then shows, and print without the frame', async () => {
  const bar = page.getByRole('note', { name: 'Inside a client' });
  await bar.getByRole('link', { name: 'Frameworks' }).click();
  await page.getByRole('region', { name: 'PCI DSS' }).getByRole('link', { name: 'PCI DSS' }).click();
  await page.waitForURL(`**/manage-clients/frameworks/${clientId}/pci-dss-4`);
  const row = page.getByRole('row', { name: /^6\.3\.1/ });
  await row.waitFor();
  const rail = page.getByRole('navigation', { name: 'Main' });
  await page.emulateMedia({ media: 'print' });
  expect([await rail.isVisible(), await row.isVisible()]).toEqual([false, true]);
  await page.emulateMedia({ media: 'screen' });
  const high = row.getByRole('link', { name: /^[\d,]+ high$/ });
  const counted = Number((await high.innerText()).replaceAll(',', ''));
  expect(counted).toBeGreaterThan(0);
  await high.click();
  await page.waitForURL(`**/manage-clients/findings/${clientId}?control=pci-dss-4**severity=high`);
  await listRows(page).first().waitFor();
  await expect.poll(rows).toBe(counted);
});

test('its charts lead to the findings that they count', async () => {
  const bar = page.getByRole('note', { name: 'Inside a client' });
  await bar.getByRole('link', { name: 'Charts' }).click();
  await page.waitForURL(`**/manage-clients/charts/${clientId}`);
  const chart = page.getByRole('region', { name: 'By severity' });
  await chart.getByRole('button', { name: 'Table' }).click();
  const critical = chart.getByRole('row', { name: /Critical/ }).getByRole('link');
  const counted = Number((await critical.innerText()).replaceAll(',', ''));
  expect(counted).toBeGreaterThan(0);
  await critical.click();
  await page.waitForURL(`**/manage-clients/findings/${clientId}?severity=critical`);
  await listRows(page).first().waitFor();
  await expect.poll(rows).toBe(counted);
});

test('its list is exported as filtered', async () => {
  const counted = await rows();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /^JSON/ }).click(),
  ]);
  const { data } = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(data).toHaveLength(counted);
});

test('its repositories lead to their findings, and all clients are a click away', async () => {
  const bar = page.getByRole('note', { name: 'Inside a client' });
  await bar.getByRole('link', { name: 'Repositories' }).click();
  await page.waitForURL(`**/manage-clients/repositories/${clientId}`);
  await page.getByRole('button', { name: 'Show all' }).first().click();
  await page.getByRole('table').getByRole('link').first().click();
  await page.waitForURL(`**/manage-clients/findings/${clientId}?repository=**`);
  await listRows(page).first().waitFor();
  await bar.getByRole('link', { name: 'All clients' }).click();
  await page.waitForURL('**/manage-clients');
  visitor.assertCalm();
});

test.each([
  ['light', DESKTOP],
  ['dark', PHONE],
] as const)('nothing keeps people out of these pages, %s', async (colorScheme, viewport) => {
  const { server, database } = installation;
  const other = await newVisitor(browser, server.url, { colorScheme, viewport });
  other.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(other.page, username, PASSWORD);
  const [finding] = await database.query('select id from findings where client_id = $1 limit 1', [clientId]);
  const issues: string[] = [];
  for (const [path, shown] of [
    ['/manage-clients', '.clients-table'],
    [`/manage-clients/findings/${clientId}`, 'tr.ft-row:not(.is-waiting)'],
    [`/manage-clients/findings/finding-details/${clientId}/${finding?.['id']}`, '.panel h3'],
    [`/manage-clients/repositories/${clientId}?status=all`, '.repositories-table'],
    [`/manage-clients/frameworks/${clientId}/pci-dss-4`, '.fw-table'],
    [`/manage-clients/charts/${clientId}`, '.chart'],
  ] as const) {
    await other.page.goto(path);
    await other.page.locator(shown).first().waitFor();
    issues.push(...(await accessibilityIssues(other.page)).map((issue) => `${path}: ${issue}`));
    const isWide = await other.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    if (isWide) issues.push(`${path}: scrolls sideways`);
  }
  expect(issues).toEqual([]);
  other.assertCalm();
});

test('every look is written down', async () => {
  const written = await installation.database.query(
    "select actor, details->>'path' as path from audit_entries where kind = 'superadmin.read' order by id",
  );
  expect(written.length).toBeGreaterThan(8);
  expect(new Set(written.map(({ actor }) => String(actor).split('-')[0]))).toEqual(new Set(['superadmin']));
  expect(written.some(({ path }) => String(path).includes('filters[severity]=critical'))).toBe(true);
});

test('an admin is refused on every one of these pages, and has a way home', async () => {
  const admin = await installation.database.addUser('admin');
  const other = await newVisitor(browser, installation.server.url);
  other.expectTrouble(/answer: 401 GET .*\/session/);
  // The error that leads to the page is logged, and logged again by React and its router.
  other.expectTrouble(/console: .*PageError: You don't have permission/s);
  await signInOnScreen(other.page, admin.username, PASSWORD);
  for (const path of [
    '/manage-clients',
    `/manage-clients/findings/${clientId}`,
    `/manage-clients/findings/finding-details/${clientId}/${clientId}`,
    `/manage-clients/repositories/${clientId}`,
  ]) {
    await other.page.goto(path);
    await other.page.getByRole('heading', { name: 'Error Status: 403' }).waitFor();
    await other.page.getByText("You don't have permission for this page.").waitFor();
  }
  await other.page.getByRole('button', { name: 'Go back to home page' }).click();
  await other.page.waitForURL((url) => url.pathname === '/');
  expect(await other.page.getByRole('link', { name: 'Clients' }).count()).toBe(0);
  other.assertCalm();
});
