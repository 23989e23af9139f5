import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, addRepository, setUp } from '../harness/api.ts';
import {
  accessibilityIssues,
  DESKTOP,
  launchBrowser,
  newVisitor,
  PHONE,
  takeShot,
  type Visitor,
} from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { demoFiles, demoReport } from '../harness/reports.ts';
import { listRows, signInOnScreen } from '../harness/screens.ts';
import { type EnglishTexts, englishTexts, untranslatedOn } from '../harness/untranslated.ts';

stopAfterFailure();

let browser: Browser;
let installation: Installation;
let visitor: Visitor;
let page: Page;
let english: EnglishTexts;

beforeAll(async () => {
  english = await englishTexts('de');
  [browser, installation] = await Promise.all([launchBrowser(), startInstallation()]);
  const api = await setUp(installation.server);
  const repository = await addRepository(api, 'Juice Shop');
  for (const { name } of await demoFiles()) await api.upload(repository, name, await demoReport(name));
  visitor = await newVisitor(browser, installation.server.url);
  page = visitor.page;
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});

const headed = async (address: string): Promise<void> => {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
};

const openFirst = async (): Promise<void> => {
  await page.goto('/findings');
  await listRows(page).first().getByRole('link').first().click();
  await page.getByRole('complementary', { name: 'Befund' }).waitFor();
  await page.waitForLoadState('networkidle');
};

const openRepository = async (): Promise<void> => {
  await page.goto('/Repositories');
  await page.getByRole('link', { name: 'Juice Shop' }).first().click();
  await page.getByRole('region', { name: 'Einstellungen' }).waitFor();
  await page.waitForLoadState('networkidle');
};

/** Each leads there in German, and ends when it is complete. */
const SCREENS: readonly { name: string; open: () => Promise<unknown> }[] = [
  { name: 'dashboard', open: () => headed('/') },
  { name: 'findings', open: () => page.goto('/findings').then(() => listRows(page).first().waitFor()) },
  { name: 'finding', open: openFirst },
  { name: 'connectors', open: () => headed('/connector/providers') },
  { name: 'scanners', open: () => headed('/connector/scanners') },
  { name: 'repositories', open: () => headed('/Repositories') },
  { name: 'repository', open: openRepository },
  { name: 'import', open: () => headed('/manage-repositories?source_control=git') },
  { name: 'settings', open: () => headed('/settings') },
  { name: 'profile', open: () => headed('/settings/profile') },
  { name: 'prioritisation', open: () => headed('/settings/prioritisation') },
  { name: 'notifications', open: () => headed('/notifications') },
  { name: 'preferences', open: () => headed('/settings/notifications') },
  { name: 'team', open: () => headed('/settings/team') },
  { name: 'sessions', open: () => headed('/settings/sessions') },
  { name: 'audit', open: () => headed('/settings/audit') },
  { name: 'organisation', open: () => headed('/Organization') },
  { name: 'security', open: () => headed('/settings/security') },
  { name: 'single-sign-on', open: () => headed('/settings/single-sign-on') },
  { name: 'mail', open: () => headed('/mail') },
];

const language = (): Promise<string | null> => page.locator('html').getAttribute('lang');

test('the check of texts finds those of an English screen', async () => {
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
  await headed('/settings/profile');
  expect(await language()).toBe('en');
  expect(await untranslatedOn(page, english)).toEqual(
    expect.arrayContaining(['Language and formats', 'Save language and formats', 'Dashboard']),
  );
});

test('who chooses German reads German at once, without a new page', async () => {
  const form = page.getByRole('form', { name: 'Language and formats' });
  await page.evaluate(() => {
    document.body.dataset['page'] = 'first';
  });
  await form.getByLabel('Language', { exact: true }).selectOption('de');
  await form.getByLabel('Time zone').selectOption('Pacific/Auckland');
  await form.getByRole('button', { name: 'Save language and formats' }).click();
  await page.getByRole('button', { name: 'Sprache und Formate speichern' }).waitFor();
  expect(await language()).toBe('de');
  await eventually(() => page.locator('body').getAttribute('data-page')).toBe('first');
  await page.getByRole('status').filter({ hasText: '1.234.567,89' }).waitFor();
});

const issuesOf = async (name: string): Promise<string[]> => {
  const issues = (await untranslatedOn(page, english)).map((text) => `English: ${text}`);
  issues.push(...(await accessibilityIssues(page)));
  await takeShot(page, `german-${name}-1440`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await takeShot(page, `german-${name}-1440-dark`);
  await page.setViewportSize(PHONE);
  await takeShot(page, `german-${name}-390-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await takeShot(page, `german-${name}-390`);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wider > 0) issues.push(`${wider} px wider than a telephone`);
  await page.setViewportSize(DESKTOP);
  const shown = await language();
  return [...(shown === 'de' ? [] : [`lang=${shown}`]), ...issues].map((issue) => `${name}: ${issue}`);
};

test('no screen shows a text of the interface in English, or keeps anybody out', async () => {
  const issues: string[] = [];
  for (const { name, open } of SCREENS) {
    await open();
    issues.push(...(await issuesOf(name)));
  }
  expect(issues).toEqual([]);
});

test('it stays with the person: signed out and in again, and in another browser', async () => {
  await page
    .getByRole('button', { name: new RegExp(ADMIN.username) })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Abmelden' }).click();
  await page.waitForURL('**/login');
  await page.getByLabel('E-Mail oder Benutzername').fill(ADMIN.username);
  await page.getByLabel('Passwort', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
  expect(await language()).toBe('de');
  const other = await newVisitor(browser, installation.server.url);
  await signInOnScreen(other.page, ADMIN.username, ADMIN.password);
  await other.page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
  await eventually(() => other.page.locator('html').getAttribute('lang')).toBe('de');
  await other.context.close();
  visitor.assertCalm();
});
