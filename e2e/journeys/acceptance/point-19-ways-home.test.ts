import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRepository, setUp } from '../../harness/api.ts';
import { launchBrowser, newVisitor } from '../../harness/browser.ts';
import { type OutsideDatabase, PASSWORD } from '../../harness/database.ts';
import { type Installation, startInstallation } from '../../harness/installation.ts';
import { demoReport } from '../../harness/reports.ts';
import { signInOnScreen } from '../../harness/screens.ts';
import type { RunningServer } from '../../harness/server.ts';
import { rest, visit } from '../../harness/visit.ts';

/** Acceptance point 19: every 404 and 403 has a way home; no dead link for any role. */

/** The superadmin has no screens yet. */
const ROLES = ['admin', 'cyberoper', 'developer'] as const;
/** Enough to see every kind of page once; lists repeat the same kinds of links. */
const MOST_PAGES = 40;

let installation: Installation;
let database: OutsideDatabase;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  ({ server, database } = installation);
  const api = await setUp(server);
  const repository = await addRepository(api, 'Juice Shop');
  await api.upload(repository, 'grype.json', await demoReport('grype.json'));
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});

const settle = async (page: Page): Promise<void> => {
  await page.locator('h1, h2').first().waitFor();
  await rest(page);
};

const linksOf = (page: Page): Promise<string[]> =>
  page
    .locator('a[href]:not([download])')
    .evaluateAll((links) =>
      links.map((link) => link.getAttribute('href') ?? '').filter((href) => href.startsWith('/')),
    );

/** Two addresses of one kind of page: the path with ids and the values of its parameters left out. */
const kindOf = (href: string): string => {
  const url = new URL(href, 'http://here.invalid');
  const path = url.pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id');
  return `${path}?${[...new Set(url.searchParams.keys())].sort().join('&')}`;
};

// Most of the time goes by until a page rests, so the roles go side by side.
test.concurrent.each(ROLES)('no link is dead for %s', { timeout: 600_000 }, async (role) => {
  const { username } = await database.addUser(role);
  const { page, context, troubles } = await newVisitor(browser, server.url);
  await signInOnScreen(page, username, PASSWORD);
  await settle(page);
  const waiting = ['/', ...(await linksOf(page))];
  const seen = new Set<string>();
  const dead: string[] = [];
  for (let href = waiting.shift(); href !== undefined && seen.size < MOST_PAGES; href = waiting.shift()) {
    const kind = kindOf(href);
    if (seen.has(kind)) continue;
    seen.add(kind);
    const answer = await page.request.get(href);
    await visit(page, href);
    await settle(page);
    const isError = (await page.getByText(/^Error Status/).count()) > 0;
    if (answer.status() >= 400 || isError) dead.push(`${href}: ${answer.status()}`);
    waiting.push(...(await linksOf(page)));
  }
  expect(dead).toEqual([]);
  expect(seen.size).toBeGreaterThan(4);
  expect(troubles.filter((trouble) => trouble.startsWith('exception'))).toEqual([]);
  await context.close();
});

test.each([
  '/no/such/page',
  '/connector',
  '/sbom-findings/detail/1',
  '/findings/finding-details/01a20000-0000-7000-8000-000000000000',
])('%s has a way home', async (path) => {
  const { username } = await database.addUser('cyberoper');
  const { page, context } = await newVisitor(browser, server.url);
  await signInOnScreen(page, username, PASSWORD);
  await page.goto(path);
  const home = page
    .getByRole('link', { name: /home page|Dashboard|Breakwater/ })
    .or(page.getByRole('button', { name: /home page/ }));
  await home.first().click();
  await page.waitForURL((url) => url.pathname === '/');
  await context.close();
});

test('every empty list says one sentence and offers one action', async () => {
  const other = await startInstallation();
  const empty = other.server;
  try {
    const api = await setUp(empty);
    expect((await api.get('/findings')).body.meta.pagination.total).toBe(0);
    const { page, context } = await newVisitor(browser, empty.url);
    await signInOnScreen(page, 'ada', PASSWORD);
    const issues: string[] = [];
    for (const path of ['/findings', '/findings/all', '/sbom-findings', '/Repositories']) {
      await page.goto(path);
      const state = page.locator('.empty').first();
      await state.waitFor();
      if ((await state.locator('p').count()) === 0) issues.push(`${path}: no sentence`);
      if ((await state.locator('a, button').count()) === 0) issues.push(`${path}: no action`);
    }
    expect(issues).toEqual([]);
    await context.close();
  } finally {
    await other.stop();
  }
});
