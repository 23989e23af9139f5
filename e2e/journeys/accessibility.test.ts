import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, addRepository, setUp } from '../harness/api.ts';
import { accessibilityFaults, DESKTOP, launchBrowser, newVisitor, PHONE, takeShot } from '../harness/browser.ts';
import { demoFiles, demoReport } from '../harness/demo.ts';
import { listRows, signInOnScreen } from '../harness/screens.ts';
import { type RunningServer, removeFolder, startServer } from '../harness/server.ts';

const FORMS = [
  { name: 'light-1440', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'dark-1440', viewport: DESKTOP, colorScheme: 'dark' },
  { name: 'light-390', viewport: PHONE, colorScheme: 'light' },
  { name: 'dark-390', viewport: PHONE, colorScheme: 'dark' },
] as const;

interface Screen {
  name: string;
  /** Leads there, and ends when it is complete. */
  open(page: Page): Promise<unknown>;
}

const rowsOf = (page: Page): Promise<void> => listRows(page).first().waitFor();

const SIGNED_OUT: Screen[] = [
  {
    name: 'sign-in',
    open: (page) => page.goto('/login').then(() => page.getByRole('heading', { name: 'Sign in' }).waitFor()),
  },
  { name: 'register', open: (page) => page.goto('/register').then(() => page.getByRole('heading').first().waitFor()) },
  {
    name: 'forgot-password',
    open: (page) => page.goto('/forgot-password').then(() => page.getByRole('heading').first().waitFor()),
  },
  {
    name: 'sign-in-faults',
    open: async (page) => {
      await page.goto('/login');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Enter your password.').first().waitFor();
    },
  },
];

const SIGNED_IN: Screen[] = [
  {
    name: 'dashboard',
    open: async (page) => {
      await page.goto('/');
      await page.getByRole('navigation', { name: 'Figures' }).waitFor();
      await page.locator('[_echarts_instance_]').first().waitFor();
    },
  },
  { name: 'findings', open: (page) => page.goto('/findings').then(() => rowsOf(page)) },
  { name: 'all-findings', open: (page) => page.goto('/findings/all').then(() => rowsOf(page)) },
  {
    name: 'finding',
    open: async (page) => {
      await page.goto('/findings?search=routes%2Flogin.ts');
      await rowsOf(page);
      await listRows(page).first().getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Why this score' }).waitFor();
    },
  },
  {
    name: 'false-positive-dialog',
    open: async (page) => {
      await page.goto('/findings');
      await listRows(page).first().getByRole('link').first().click();
      await page.getByRole('button', { name: 'False positive', exact: true }).click();
      await page.getByRole('dialog').getByLabel('Reason').waitFor();
    },
  },
  {
    name: 'filter',
    open: async (page) => {
      await page.goto('/findings');
      await rowsOf(page);
      await page.getByRole('button', { name: 'All filters' }).click();
      await page.getByRole('listbox', { name: 'Severity' }).waitFor();
    },
  },
  {
    name: 'groups',
    open: async (page) => {
      await page.goto('/findings?group=vulnerability');
      await page.getByRole('table', { name: 'Findings by vulnerability' }).waitFor();
    },
  },
  {
    name: 'nothing-matches',
    open: (page) =>
      page.goto('/findings?search=nothing-has-this-name').then(() =>
        page
          .getByRole('button', { name: /clear|remove/i })
          .first()
          .waitFor(),
      ),
  },
  {
    name: 'upload',
    open: async (page) => {
      await page.goto('/findings');
      await rowsOf(page);
      await page.getByRole('button', { name: 'Upload reports' }).click();
      await page.getByRole('dialog').getByLabel('Application').waitFor();
    },
  },
  {
    name: 'inventory',
    open: (page) =>
      page.goto('/sbom-findings').then(() =>
        page
          .getByRole('link', { name: /express/ })
          .first()
          .waitFor(),
      ),
  },
  {
    name: 'inventory-filter',
    open: async (page) => {
      await page.goto('/sbom-findings');
      await page.getByRole('button', { name: 'Licence', exact: true }).click();
      await page.getByRole('combobox', { name: 'Search Licence' }).fill('mit');
      await page.getByRole('option', { name: /MIT/ }).first().waitFor();
    },
  },
  {
    name: 'component',
    open: async (page) => {
      await page.goto('/sbom-findings?search=jsonwebtoken');
      await page
        .getByRole('link', { name: /jsonwebtoken/ })
        .first()
        .click();
      await page.waitForURL(/\/sbom-findings\/[0-9a-f-]{36}/);
      await page
        .getByRole('heading', { name: /jsonwebtoken/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'reference-data',
    open: (page) =>
      page.goto('/settings/reference-data').then(() => page.getByRole('heading', { name: 'CISA KEV' }).waitFor()),
  },
  {
    name: 'licence-policy',
    open: async (page) => {
      await page.goto('/settings/license-policy');
      await page.getByRole('button', { name: 'Add a licence' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Name a licence, or remove the line.').waitFor();
    },
  },
  {
    name: 'not-found',
    open: (page) =>
      page.goto('/no/such/page').then(() => page.getByRole('heading', { name: 'Page not found' }).waitFor()),
  },
];

let browser: Browser;
let empty: RunningServer;
let filled: RunningServer;

beforeAll(async () => {
  browser = await launchBrowser();
  [empty, filled] = await Promise.all([startServer(), startServer()]);
  const api = await setUp(filled);
  const repository = await addRepository(api, 'Juice Shop');
  for (const { name } of await demoFiles()) await api.upload(repository, name, await demoReport(name));
});
afterAll(async () => {
  await browser.close();
  for (const server of [empty, filled]) {
    await server.stop();
    await removeFolder(server.dataDirectory);
  }
});

const check = async (page: Page, screen: Screen, form: string, faults: string[]): Promise<void> => {
  await screen.open(page);
  await takeShot(page, `${screen.name}-${form}`);
  for (const fault of await accessibilityFaults(page)) faults.push(`${screen.name}: ${fault}`);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (overflow > 0) faults.push(`${screen.name}: ${overflow} px wider than the window`);
};

describe.each(FORMS)('$name', ({ name, viewport, colorScheme }) => {
  test('no serious or critical accessibility fault before sign-in', async () => {
    const { page, context } = await newVisitor(browser, filled.url, { viewport, colorScheme });
    const faults: string[] = [];
    for (const screen of SIGNED_OUT) await check(page, screen, name, faults);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('no serious or critical accessibility fault on the screens', { timeout: 300_000 }, async () => {
    const { page, context } = await newVisitor(browser, filled.url, { viewport, colorScheme });
    await signInOnScreen(page, ADMIN.username, ADMIN.password);
    const faults: string[] = [];
    for (const screen of SIGNED_IN) await check(page, screen, name, faults);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('the colour mode follows the system', async () => {
    const { page, context } = await newVisitor(browser, filled.url, { viewport, colorScheme });
    await page.goto('/login');
    expect(await page.locator('html').evaluate((element) => element.classList.contains('bp6-dark'))).toBe(
      colorScheme === 'dark',
    );
    await context.close();
  });
});

test('setup and the three doors, in every form', { timeout: 300_000 }, async () => {
  const faults: string[] = [];
  for (const { name, viewport, colorScheme } of FORMS) {
    const { page, context } = await newVisitor(browser, empty.url, { viewport, colorScheme });
    await check(
      page,
      { name: 'setup', open: () => page.goto('/').then(() => page.waitForURL('**/setup')) },
      name,
      faults,
    );
    await context.close();
  }
  await setUp(empty);
  for (const { name, viewport, colorScheme } of FORMS) {
    const { page, context } = await newVisitor(browser, empty.url, { viewport, colorScheme });
    await signInOnScreen(page, ADMIN.username, ADMIN.password);
    const open = () => page.getByRole('heading', { name: 'Where are your findings?' }).waitFor();
    await check(page, { name: 'first-run', open }, name, faults);
    await context.close();
  }
  expect(faults).toEqual([]);
});
