import {
  CLIENT_ID,
  CLIENT_SECRET,
  type OidcServer,
  startOidcServer,
} from '@breakwater/core/testing/identity-providers.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { ADMIN, setUp } from '../harness/api.ts';
import { launchBrowser, newVisitor, PHONE, takeShot, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation, UNTOUCHED } from '../harness/installation.ts';
import { stopAfterFailure } from '../harness/journey.ts';
import { signInOnScreen } from '../harness/screens.ts';

/** Issue 15, point 8: an organisation enters its identity provider, tests it, and signs in at it. */

let installation: Installation;
let browser: Browser;
let oidc: OidcServer;
let admin: Visitor;

beforeAll(async () => {
  const environment = { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true' };
  [installation, browser] = await Promise.all([startInstallation(UNTOUCHED, environment), launchBrowser()]);
  const api = await setUp(installation.server);
  const { body } = await api.get('/single-sign-on');
  oidc = await startOidcServer([body.data.service.redirect_uri]);
  oidc.people.set('ada-at-the-provider', { email: ADMIN.email, email_verified: true });
  oidc.signsIn = 'ada-at-the-provider';
  // the address that the server names itself by: the cookie of a sign-in belongs to it
  admin = await newVisitor(browser, new URL(body.data.service.redirect_uri).origin);
  admin.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(admin.page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser.close();
  await oidc.close();
  await installation.stop();
});
stopAfterFailure();

test('an admin enters the provider, tests it and switches it on', async () => {
  const { page } = admin;
  await page.goto('/settings/single-sign-on');
  await page.getByLabel('Issuer').fill(oidc.issuer);
  await page.getByLabel('Client id').fill(CLIENT_ID);
  await page.getByLabel('Client secret', { exact: true }).fill(CLIENT_SECRET);
  await page.getByLabel('Email domains').fill('harbour.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await accessibilityIssues(page)).toEqual([]);
  await takeShot(page, 'single-sign-on-settings-390');
  await page.setViewportSize({ width: 1440, height: 1600 });
  await takeShot(page, 'single-sign-on-settings-1440');

  await page.getByRole('button', { name: 'Test the sign-in' }).click();
  await page.getByRole('heading', { name: 'The test was accepted' }).waitFor();
  await page.getByText(`${ADMIN.email}, verified`).waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  await takeShot(page, 'single-sign-on-test');
  await page.getByRole('link', { name: 'Back to the settings' }).click();
  await page.getByText('People may sign in at the provider').click();
  await page.getByText('On', { exact: true }).waitFor();
});

test('they sign out, and in again through the provider', async () => {
  const { page } = admin;
  // what a page asked for in the moment before is answered after the session has ended
  admin.expectTrouble(/answer: 401 GET .*\/client\/notifications\?status=unread/);
  await page.getByRole('button', { name: `Account of ${ADMIN.username}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).click();
  await page.getByLabel('Work email').fill(ADMIN.email);
  expect(await accessibilityIssues(page)).toEqual([]);
  await takeShot(page, 'single-sign-on-begin');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: `Account of ${ADMIN.username}` }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  admin.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
