import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { ADMIN, addRepository, setUp } from '../harness/api.ts';
import { DESKTOP, launchBrowser, newVisitor, PHONE, takeShot } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { demoFiles, demoReport } from '../harness/reports.ts';
import { listRows, signInOnScreen } from '../harness/screens.ts';
import { rest, visit } from '../harness/visit.ts';

const SIZES = [
  { size: 1440, viewport: DESKTOP },
  { size: 390, viewport: PHONE },
] as const;
const MODES = ['light', 'dark'] as const;

interface Screen {
  name: string;
  /** Leads there, and ends when it is complete. */
  open(page: Page): Promise<unknown>;
}

const rowsOf = (page: Page): Promise<void> => listRows(page).first().waitFor();

/** A page that is there and asks for nothing more. */
const headOf = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await rest(page);
};

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
    name: 'sign-in-errors',
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
      await visit(page, '/');
      await page.getByRole('navigation', { name: 'Figures' }).waitFor();
      await page.locator('[_echarts_instance_]').first().waitFor();
    },
  },
  { name: 'findings', open: (page) => visit(page, '/findings').then(() => rowsOf(page)) },
  { name: 'all-findings', open: (page) => visit(page, '/findings/all').then(() => rowsOf(page)) },
  {
    name: 'finding',
    open: async (page) => {
      await visit(page, '/findings?search=routes%2Flogin.ts');
      await rowsOf(page);
      await listRows(page).first().getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Why this score' }).waitFor();
    },
  },
  {
    name: 'false-positive-dialog',
    open: async (page) => {
      await visit(page, '/findings');
      await listRows(page).first().getByRole('link').first().click();
      await page.getByRole('button', { name: 'False positive', exact: true }).click();
      await page.getByRole('dialog').getByLabel('Reason').waitFor();
    },
  },
  {
    name: 'filter',
    open: async (page) => {
      await visit(page, '/findings');
      await rowsOf(page);
      await page.getByRole('button', { name: 'All filters' }).click();
      await page.getByRole('listbox', { name: 'Severity' }).waitFor();
    },
  },
  {
    name: 'groups',
    open: async (page) => {
      await visit(page, '/findings?group=vulnerability');
      await page.getByRole('table', { name: 'Findings by vulnerability' }).waitFor();
    },
  },
  {
    name: 'nothing-matches',
    open: (page) =>
      visit(page, '/findings?search=nothing-has-this-name').then(() =>
        page
          .getByRole('button', { name: /clear|remove/i })
          .first()
          .waitFor(),
      ),
  },
  {
    name: 'upload',
    open: async (page) => {
      await visit(page, '/findings');
      await rowsOf(page);
      await page.getByRole('button', { name: 'Upload reports' }).click();
      await page.getByRole('dialog').getByLabel('Application').waitFor();
    },
  },
  {
    name: 'inventory',
    open: (page) =>
      visit(page, '/sbom-findings').then(() =>
        page
          .getByRole('link', { name: /express/ })
          .first()
          .waitFor(),
      ),
  },
  {
    name: 'inventory-filter',
    open: async (page) => {
      await visit(page, '/sbom-findings');
      await page.getByRole('button', { name: 'Licence', exact: true }).click();
      await page.getByRole('combobox', { name: 'Search Licence' }).fill('mit');
      await page.getByRole('option', { name: /MIT/ }).first().waitFor();
    },
  },
  {
    name: 'component',
    open: async (page) => {
      await visit(page, '/sbom-findings?search=jsonwebtoken');
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
    name: 'frameworks',
    open: (page) => visit(page, '/frameworks').then(() => page.getByRole('region', { name: 'PCI DSS' }).waitFor()),
  },
  {
    name: 'framework',
    open: (page) =>
      visit(page, '/frameworks/pci-dss-4').then(() => page.getByRole('row', { name: /^6\.2\.4/ }).waitFor()),
  },
  { name: 'source-control', open: (page) => visit(page, '/scm').then(() => headOf(page)) },
  { name: 'cloud', open: (page) => visit(page, '/cloud').then(() => headOf(page)) },
  {
    name: 'repositories',
    open: (page) => visit(page, '/Repositories').then(() => page.getByText('Juice Shop').waitFor()),
  },
  {
    name: 'repository',
    open: async (page) => {
      await visit(page, '/Repositories');
      await page
        .getByRole('link', { name: /Juice Shop/ })
        .first()
        .click();
      await page.getByRole('region', { name: 'Settings' }).waitFor();
    },
  },
  {
    name: 'import-repositories',
    open: (page) =>
      visit(page, '/manage-repositories?source_control=git').then(() => page.getByLabel('Clone addresses').waitFor()),
  },
  {
    name: 'connectors',
    open: (page) => visit(page, '/connector?source_control=gitea').then(() => headOf(page)),
  },
  { name: 'connector-tools', open: (page) => visit(page, '/connector/tools').then(() => headOf(page)) },
  {
    name: 'connector-scanners',
    open: (page) => visit(page, '/connector/scanners').then(() => page.getByText(/installed on this server/).waitFor()),
  },
  { name: 'connector-providers', open: (page) => visit(page, '/connector/providers').then(() => headOf(page)) },
  { name: 'due-dates', open: (page) => visit(page, '/settings/due-dates').then(() => headOf(page)) },
  { name: 'prioritisation', open: (page) => visit(page, '/settings/prioritisation').then(() => headOf(page)) },
  {
    name: 'reference-data',
    open: (page) =>
      visit(page, '/settings/reference-data').then(() => page.getByRole('heading', { name: 'CISA KEV' }).waitFor()),
  },
  {
    name: 'newest-versions',
    open: async (page) => {
      await visit(page, '/settings/newest-versions');
      await page.getByLabel('Names that are never sent').fill('@acme/*\n*');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('1 line cannot be used.').waitFor();
    },
  },
  {
    name: 'licence-policy',
    open: async (page) => {
      await visit(page, '/settings/license-policy');
      await page.getByRole('button', { name: 'Add a licence' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Name a licence, or remove the line.').waitFor();
    },
  },
  {
    name: 'not-found',
    open: (page) =>
      // all anew, without the question about what is not saved
      page.goto('/no/such/page').then(() => page.getByRole('heading', { name: 'Page not found' }).waitFor()),
  },
];

let browser: Browser;
let empty: Installation;
let filled: Installation;

beforeAll(async () => {
  [browser, empty, filled] = await Promise.all([launchBrowser(), startInstallation(), startInstallation()]);
  const api = await setUp(filled.server);
  const repository = await addRepository(api, 'Juice Shop');
  for (const { name } of await demoFiles()) await api.upload(repository, name, await demoReport(name));
});
afterAll(async () => {
  await browser.close();
  await Promise.all([empty.stop(), filled.stop()]);
});

const issuesOf = async (page: Page, form: string, rules: 'all' | 'colours'): Promise<string[]> => {
  await takeShot(page, form);
  const issues = (await accessibilityIssues(page, rules)).map((issue) => `${form}: ${issue}`);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return overflow > 0 ? [...issues, `${form}: ${overflow} px wider than the window`] : issues;
};

/** The open screen in light and in dark: the system changes its mode and the application follows. Only colours differ then. */
const inBothModes = async (page: Page, name: string, size: number): Promise<string[]> => {
  const issues: string[] = [];
  for (const mode of MODES) {
    await page.emulateMedia({ colorScheme: mode });
    await page.locator(mode === 'dark' ? 'html.bp6-dark' : 'html:not(.bp6-dark)').waitFor({ state: 'attached' });
    issues.push(...(await issuesOf(page, `${name}-${mode}-${size}`, mode === 'light' ? 'all' : 'colours')));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return issues;
};

const check = async (page: Page, screens: readonly Screen[], size: number): Promise<void> => {
  const issues: string[] = [];
  for (const { name, open } of screens) {
    await open(page);
    issues.push(...(await inBothModes(page, name, size)));
  }
  expect(issues).toEqual([]);
};

// most of a look goes by until the page rests, so both widths go side by side
describe.concurrent.each(SIZES)(
  'no serious or critical accessibility error at $size px, in light and dark',
  ({ size, viewport }) => {
    test('before sign-in', async () => {
      const { page, context } = await newVisitor(browser, filled.server.url, { viewport });
      await check(page, SIGNED_OUT, size);
      await context.close();
    });

    test('on the screens', { timeout: 900_000 }, async () => {
      const { page, context } = await newVisitor(browser, filled.server.url, { viewport });
      await signInOnScreen(page, ADMIN.username, ADMIN.password);
      await check(page, SIGNED_IN, size);
      await context.close();
    });
  },
);

test('setup and the three doors, at both widths, in light and dark', { timeout: 300_000 }, async () => {
  const visitors = await Promise.all(
    SIZES.map(async ({ size, viewport }) => ({ size, ...(await newVisitor(browser, empty.server.url, { viewport })) })),
  );
  for (const { page, size } of visitors) {
    const open = () => page.goto('/').then(() => page.waitForURL('**/setup'));
    await check(page, [{ name: 'setup', open }], size);
  }
  await setUp(empty.server);
  for (const { page, context, size } of visitors) {
    await signInOnScreen(page, ADMIN.username, ADMIN.password);
    const open = () => page.getByRole('heading', { name: 'Where are your findings?' }).waitFor();
    await check(page, [{ name: 'first-run', open }], size);
    await context.close();
  }
});
