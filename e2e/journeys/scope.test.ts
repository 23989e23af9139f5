import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type ApiClient, addRepository, setUp } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually } from '../harness/journey.ts';
import { demoFiles, demoReport, generatedReport } from '../harness/reports.ts';
import { listCount, signInOnScreen } from '../harness/screens.ts';

let installation: Installation;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;
let page: Page;
let gateway: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  api = await setUp(installation.server);
  gateway = await addRepository(api, 'gateway');
  await api.upload(gateway, 'gateway.json', generatedReport(7));
  const shop = await addRepository(api, 'Juice Shop');
  for (const { name } of await demoFiles()) await api.upload(shop, name, await demoReport(name));
  await api.call('PUT', `/repositories/${shop}`, { tags: ['web, public'] });
  visitor = await newVisitor(browser, installation.server.url);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  ({ page } = visitor);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});

/** Without a scope the organisation is named. */
const ALL = `Scope: ${ADMIN.organization_name}`;
const scope = (name: string | RegExp) => page.getByRole('banner').getByRole('button', { name });
const rail = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
const open = async (from: string | RegExp): Promise<void> => {
  await scope(from).click();
  await page.getByRole('listbox', { name: 'Scope' }).waitFor();
};

test('one repository: lists, their figures and the way between them are about it, until it is left', async () => {
  await page.goto('/findings?severity=high,medium');
  await open(ALL);
  await lookAt(page, 'scope-options');
  await page.getByRole('option', { name: 'gateway' }).click();
  await page.waitForURL(`**/findings?severity=high%2Cmedium&repository=${gateway}`);
  await scope('Scope: gateway').waitFor();
  await rail('Findings').click();
  await page.waitForURL(`**/findings?repository=${gateway}`);
  await eventually(() => listCount(page).innerText()).toMatch(/^7 /);
  await eventually(() => rail('Findings').locator('.count').innerText()).toBe('7');
  await lookAt(page, 'scope-repository');
  // the first tab keeps the scope, and knows that the list shows nothing else
  const first = page.getByRole('navigation', { name: 'Views of the list' }).getByRole('button', { name: 'All open' });
  await eventually(() => first.getAttribute('aria-current')).toBe('true');
  await first.click();
  await eventually(() => new URL(page.url()).search).toBe(`?repository=${gateway}`);
  await rail('SBOM').click();
  await page.waitForURL(`**/sbom-findings?repository=${gateway}`);
  await page.goto('/settings/team');
  await scope('Scope: gateway').waitFor();
  await page.reload();
  await scope('Scope: gateway').waitFor();
  await rail('Findings').click();
  await eventually(() => listCount(page).innerText()).toMatch(/^7 /);
  await scope('Show all repositories').click();
  await scope(ALL).waitFor();
  await eventually(() => new URL(page.url()).search).toBe('');
  await eventually(() => listCount(page).innerText()).not.toMatch(/^7 /);
});

test('a tag: the same lists, over every repository that has it', async () => {
  await page.goto('/');
  await open(ALL);
  await page.getByRole('option', { name: 'web, public' }).click();
  await page.waitForURL('**/?repository_tag=*');
  await scope('Scope: web, public').waitFor();
  // figures, charts and what to fix first are of the tag too
  const figures = page.getByRole('navigation', { name: 'Figures' });
  await eventually(() => figures.getByRole('link', { name: /Repositories/ }).innerText()).toMatch(/^1\b/);
  await page.getByRole('button', { name: 'Remove filter Repository tag web, public' }).waitFor();
  expect(await page.getByRole('main').getByText('gateway').count()).toBe(0);
  await lookAt(page, 'scope-dashboard');
  const count = await figures.getByRole('link', { name: /Open findings/ }).innerText();
  await figures.getByRole('link', { name: /Open findings/ }).click();
  await page.waitForURL('**/findings?repository_tag=*');
  await eventually(() => listCount(page).innerText()).toMatch(new RegExp(`^${Number.parseInt(count, 10)} `));
  await eventually(async () => Number.parseInt(await listCount(page).innerText(), 10)).toBeGreaterThan(50);
  expect(await page.getByRole('table').getByText('gateway').count()).toBe(0);
  await rail('SBOM').click();
  await page
    .getByRole('link', { name: /express/ })
    .first()
    .waitFor();
  await page.getByText('web, public').nth(1).waitFor();
  await rail('Repositories').click();
  await page.getByRole('link', { name: 'Juice Shop' }).waitFor();
  await eventually(() => page.getByRole('link', { name: 'gateway' }).count()).toBe(0);
});

test('who takes the filter away has left the scope; the dashboard of a repository is chosen in the palette', async () => {
  await rail('Findings').click();
  await page.getByRole('button', { name: 'Remove filter Repository tag web, public' }).click();
  await scope(ALL).waitFor();
  await page.goto('/');
  await scope(ALL).waitFor();
  // the palette chooses too
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'What to do or to find' }).fill('choose the scope');
  await page.getByRole('option', { name: 'Choose the scope: a repository or a tag' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('listbox', { name: 'Scope' }).waitFor();
  await page.getByRole('searchbox', { name: 'Search repositories and tags' }).fill('GATE');
  const listed = page.getByRole('listbox', { name: 'Scope' }).getByRole('option');
  await eventually(() => listed.allInnerTexts()).toEqual(['gateway']);
  await listed.click();
  await page.waitForURL(`**/?repository=${gateway}`);
  const figures = page.getByRole('navigation', { name: 'Figures' });
  await eventually(() => figures.getByRole('link', { name: /Open findings/ }).innerText()).toMatch(/^7\b/);
  await figures.getByRole('link', { name: /Repositories/ }).click();
  await page.waitForURL(`**/Repositories/${gateway}`);
  await page.getByRole('heading', { level: 1, name: 'gateway' }).waitFor();
  // the mark leads home to the scope
  await page.getByRole('link', { name: 'Breakwater, home' }).click();
  await page.waitForURL(`**/?repository=${gateway}`);
  await page.getByRole('button', { name: 'Remove filter Repository gateway' }).click();
  await scope(ALL).waitFor();
  await eventually(() => figures.getByRole('link', { name: /Open findings/ }).innerText()).not.toMatch(/^7\b/);
  visitor.assertCalm();
});
