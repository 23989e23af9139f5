import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startFakeGitea } from '../../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { ADMIN, type ApiClient, signIn } from '../../harness/api.ts';
import { launchBrowser, newVisitor, type Visitor } from '../../harness/browser.ts';
import { type Installation, startInstallation } from '../../harness/installation.ts';
import { eventually, stopAfterFailure } from '../../harness/journey.ts';

/**
 * Acceptance point 24: what is wrong stands beside the field and in a summary on top, which has the focus and leads to the fields; input is
 * kept; a secret is replaced and never shown; a changed form is not left without asking.
 */

const TOKEN = 'e2e-gitea-token-1234';

let gitea: Awaited<ReturnType<typeof startFakeGitea>>;
let installation: Installation;
let browser: Browser;
let visitor: Visitor;
let page: Page;
let api: ApiClient;

beforeAll(async () => {
  gitea = await startFakeGitea({ token: TOKEN });
  [installation, browser] = await Promise.all([
    startInstallation(undefined, { GITEA_BASE_URL: gitea.url.origin }),
    launchBrowser(),
  ]);
  visitor = await newVisitor(browser, installation.server.url);
  visitor.expectTrouble(/answer: 401 GET .*\/api\/v1\/session/);
  ({ page } = visitor);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
  await gitea.close();
});
stopAfterFailure();
afterEach(() => {
  visitor.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});

const summary = () => page.getByRole('alert').filter({ has: page.getByRole('link') });
const isFocused = (of: ReturnType<Page['locator']>) => of.evaluate((element) => element === document.activeElement);
/** The text that belongs to a field by `aria-describedby`. */
const describedBy = (label: string) =>
  page.getByLabel(label, { exact: true }).evaluate((field) =>
    (field.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  );

test('point 24: each error stands beside its field and in the summary, which has the focus; input is kept', async () => {
  await page.goto('/');
  await page.waitForURL('**/setup');
  await page.getByLabel('Email').fill('not an address');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create organisation' }).click();
  await eventually(() => isFocused(summary())).toBe(true);
  for (const [label, issue] of [
    ['Organisation', 'Enter the name of your organisation.'],
    ['Email', 'Enter an email address.'],
    ['Username', 'Enter a username.'],
  ] as const) {
    await eventually(() => summary().getByRole('link', { name: issue }).count()).toBe(1);
    await eventually(() => page.getByLabel(label, { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(await describedBy(label)).toContain(issue);
  }
  await eventually(() => page.getByLabel('Email').inputValue()).toBe('not an address');
  await eventually(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe('short');
  // the first error leads to the first field, by keyboard
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await isFocused(page.getByLabel('Organisation'))).toBe(true);
  await page.keyboard.type(ADMIN.organization_name);
  await summary().getByRole('link', { name: 'Enter the name of your organisation.' }).waitFor({ state: 'detached' });
  expect(await isFocused(page.getByLabel('Organisation'))).toBe(true);
});

test('point 24: what the server refuses is shown the same way; then the form goes through', async () => {
  await page.route('**/api/v1/setup', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 422,
          json: {
            detail: [{ loc: ['body', 'email'], msg: 'This address is taken.', type: 'taken' }],
            code: 'validation_failed',
            request_id: 'x',
          },
        })
      : route.continue(),
  );
  visitor.expectTrouble(/answer: 422 POST .*\/setup/);
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Username').fill(ADMIN.username);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByLabel('Repeat password').fill(ADMIN.password);
  await page.getByRole('button', { name: 'Create organisation' }).click();
  await summary().getByRole('link', { name: 'This address is taken.' }).click();
  expect(await isFocused(page.getByLabel('Email'))).toBe(true);
  expect(await describedBy('Email')).toContain('This address is taken.');
  await eventually(() => page.getByLabel('Organisation').inputValue()).toBe(ADMIN.organization_name);
  await page.unroute('**/api/v1/setup');
  await page.getByRole('button', { name: 'Create organisation' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  api = await signIn(installation.server, ADMIN.username, ADMIN.password);
});

test('point 24: a changed form is not left without asking, by a link, by "back", or by closing the tab', async () => {
  await page.goto('/connector/providers');
  await page.getByRole('button', { name: 'Set up: Gitea' }).click();
  await page.getByLabel('Domain').fill('git.harbour.example');
  const ask = page.getByRole('dialog', { name: 'Leave without saving' });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Findings' }).click();
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await ask.waitFor({ state: 'detached' });
  await eventually(() => page.getByLabel('Domain').inputValue()).toBe('git.harbour.example');
  await page.goBack();
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await ask.waitFor({ state: 'detached' });
  await eventually(() => page.getByLabel('Domain').inputValue()).toBe('git.harbour.example');
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => location.reload(), 0));
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await eventually(() => page.getByLabel('Domain').inputValue()).toBe('git.harbour.example');
});

test('point 24: a secret is masked while it is typed, and afterwards replaced, never shown', async () => {
  const field = page.getByLabel('Access token', { exact: true });
  await field.fill(TOKEN);
  await eventually(() => field.getAttribute('type')).toBe('password');
  await page.getByRole('button', { name: 'Check and save' }).click();
  await page
    .getByRole('article', { name: 'Gitea' })
    .getByText(/^Connected$/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Replace Access token' }).waitFor();
  await eventually(() => field.inputValue()).toMatch(/^•+/);
  await eventually(() => field.locator('..').getByRole('button').allInnerTexts()).toEqual(['Replace']);
  expect(await page.content()).not.toContain(TOKEN);
  await page.reload();
  await page.getByRole('button', { name: 'Replace Access token' }).click();
  expect(await isFocused(field)).toBe(true);
  await eventually(() => field.inputValue()).toBe('');
  await page.getByRole('button', { name: 'Keep saved' }).click();
  await eventually(() => field.inputValue()).toMatch(/^•+/);
  expect(JSON.stringify((await api.get('/connectors')).body)).not.toContain(TOKEN);
});
