import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { ADMIN, addRepository, setUp } from '../harness/api.ts';
import { DESKTOP, launchBrowser, newVisitor, PHONE, takeShot, type Visitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import { FIRST_PAGE, type PageParameters, type PageVisit, pagesFor } from '../harness/every-page.ts';
import { englishFormatsOn, foreignMoments, momentsOn } from '../harness/foreign-formats.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { demoFiles, demoReport } from '../harness/reports.ts';
import { listRows, signInOnScreen } from '../harness/screens.ts';
import { type EnglishTexts, englishTexts, untranslatedOn } from '../harness/untranslated.ts';
import { visit } from '../harness/visit.ts';

stopAfterFailure();

let browser: Browser;
let installation: Installation;
let visitor: Visitor;
let page: Page;
let english: EnglishTexts;
let parameters: PageParameters;
let firstIssues: string[];

const parametersOf = async (repositoryId: string): Promise<PageParameters> => {
  const [ids] =
    await installation.database.query(`select (select id from clients order by account_setup_at limit 1) as client,
    (select id from findings order by id limit 1) as finding, (select id from components order by id limit 1) as component`);
  return {
    ...{ repositoryId, clientId: String(ids?.['client']) },
    ...{ findingId: String(ids?.['finding']), componentId: String(ids?.['component']) },
  };
};

beforeAll(async () => {
  english = await englishTexts('de');
  [browser, installation] = await Promise.all([launchBrowser(), startInstallation()]);
  const first = await newVisitor(browser, installation.server.url, { locale: 'de-DE' });
  first.expectTrouble(SEEN_BY_STRANGERS);
  await headed(first.page, FIRST_PAGE);
  firstIssues = (await issuesOf(first.page, 'setup')).issues;
  await first.context.close();
  const api = await setUp(installation.server);
  const repository = await addRepository(api, 'Juice Shop');
  for (const { name } of await demoFiles()) await api.upload(repository, name, await demoReport(name));
  parameters = await parametersOf(repository);
  visitor = await newVisitor(browser, installation.server.url);
  visitor.expectTrouble(EXPECTED);
  page = visitor.page;
}, 300_000);
afterAll(async () => {
  await browser.close();
  await installation.stop();
});

const AUCKLAND = { language: 'de', timeZone: 'Pacific/Auckland' } as const;
const SEEN_BY_STRANGERS = /answer: 4\d\d /;
/** Pages after a return from a provider or from a payment that nobody asked for, and the bare session of a stranger. */
const EXPECTED = /answer: 4\d\d .*\/(?:oauth|callback|session|connect|plan\/refresh)/;

const headed = async (on: Page, address: string): Promise<void> => {
  await visit(on, address);
  await on.getByRole('heading', { level: 1 }).first().waitFor();
};

/** What pages open besides, each in German until it is complete. */
const SITUATIONS: readonly [string, (on: Page) => Promise<unknown>][] = [
  [
    'false-positive',
    async (on) => {
      await on.goto('/findings');
      await listRows(on).first().getByRole('link').first().click();
      await on.getByRole('button', { name: 'Fehlalarm', exact: true }).click();
      await on.getByRole('dialog').waitFor();
    },
  ],
  [
    'groups',
    (on) =>
      on.goto('/findings?group=fix').then(() => on.getByRole('list', { name: 'Befunde nach Behebung' }).waitFor()),
  ],
];

const language = (): Promise<string | null> => page.locator('html').getAttribute('lang');

test('the check of texts finds those of an English screen', async () => {
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
  await headed(page, '/settings/profile');
  expect(await language()).toBe('en');
  expect(await untranslatedOn(page, english)).toEqual(
    expect.arrayContaining(['Language and formats', 'Save language and formats', 'Dashboard']),
  );
});

test('the page of the first start is in the language of the browser', () => {
  expect(firstIssues).toEqual([]);
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

/** Texts that look like figures of a reader: versions of standards, and of the database. */
const EDITION = /^\d\.\d$/;
const DATA: Readonly<Record<string, RegExp>> = {
  ...{ frameworks: EDITION, 'frameworks-id': EDITION, 'manage-clients-frameworks-clientid': EDITION },
  'platform-health': /^1\d\.\d+$/,
};

/** What a reader of German should not meet on the page that is open. */
const issuesOf = async (on: Page, name: string): Promise<{ issues: string[]; moments: number }> => {
  const issues = (await untranslatedOn(on, english)).map((text) => `English: ${text}`);
  const moments = await momentsOn(on);
  issues.push(...foreignMoments(moments, AUCKLAND));
  const figures = (await englishFormatsOn(on)).filter((text) => DATA[name]?.test(text) !== true);
  issues.push(...figures.map((text) => `English form: ${text}`));
  await takeShot(on, `german-${name}-1440`);
  await on.setViewportSize(PHONE);
  await takeShot(on, `german-${name}-390`);
  const wider = await on.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wider > 0) issues.push(`${wider} px wider than a telephone`);
  await on.setViewportSize(DESKTOP);
  const shown = await on.locator('html').getAttribute('lang');
  if (shown !== 'de') issues.push(`lang=${shown}`);
  return { issues: issues.map((issue) => `${name}: ${issue}`), moments: moments.length };
};

const walk = async (on: Page, visits: readonly PageVisit[]): Promise<{ issues: string[]; withMoments: number }> => {
  const issues: string[] = [];
  let withMoments = 0;
  for (const { address, name } of visits) {
    await headed(on, address);
    const found = await issuesOf(on, name);
    issues.push(...found.issues);
    withMoments += found.moments > 0 ? 1 : 0;
  }
  return { issues, withMoments };
};

test('every page is in German, in the zone and the figures of its reader', { timeout: 900_000 }, async () => {
  const { issues, withMoments } = await walk(page, pagesFor('member', parameters));
  expect(issues).toEqual([]);
  // a page without any moment proves nothing of the zone
  expect(withMoments).toBeGreaterThan(5);
});

test.each(SITUATIONS)('%s', { timeout: 300_000 }, async (name, open) => {
  await open(page);
  expect((await issuesOf(page, name)).issues).toEqual([]);
  expect(await accessibilityIssues(page)).toEqual([]);
});

test('who is not signed in reads what their browser asks for', { timeout: 300_000 }, async () => {
  const stranger = await newVisitor(browser, installation.server.url, { locale: 'de-DE' });
  stranger.expectTrouble(SEEN_BY_STRANGERS);
  const { issues } = await walk(stranger.page, pagesFor('stranger', parameters));
  expect(issues).toEqual([]);
  stranger.assertCalm();
  await stranger.context.close();
});

test('a superadmin reads all pages of clients and of the platform so', { timeout: 300_000 }, async () => {
  const { id, username } = await installation.database.addUser('superadmin');
  await installation.database.query('update users set language = $1, time_zone = $2 where id = $3', [
    AUCKLAND.language,
    AUCKLAND.timeZone,
    id,
  ]);
  const superadmin = await newVisitor(browser, installation.server.url, { locale: 'en-GB' });
  superadmin.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(superadmin.page, username, PASSWORD);
  const { issues } = await walk(superadmin.page, pagesFor('superadmin', parameters));
  expect(issues).toEqual([]);
  superadmin.assertCalm();
  await superadmin.context.close();
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
