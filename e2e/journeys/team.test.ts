import { type MailServer, startMailServer } from '@breakwater/core/testing/mail-server.ts';
import { generateSync } from 'otplib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { type ApiClient, addRepository, setUp, signIn } from '../harness/api.ts';
import { launchBrowser, newVisitor, PHONE, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { takeMail } from '../harness/mailbox.ts';
import { readQrCode } from '../harness/qr-code.ts';
import { demoReport } from '../harness/reports.ts';
import { listCount, listRows, signInOnScreen } from '../harness/screens.ts';

/**
 * Issue 15, "It must show": somebody registers and verifies by mail, invites a developer, who accepts, sets up two-factor, signs in with a
 * code, sees what is assigned or in repositories they own, with a notice, and is removed while a page is open.
 */

const ORGANIZATION = 'Quay Works';
const ADMIN = { email: 'grace@quay.example', username: 'grace', password: 'Steady-Anchor-9!' };
const DEVELOPER = { email: 'dev@quay.example', username: 'dev', password: 'Quiet-Harbour-7!' };

let mailbox: MailServer;
let installation: Installation;
let browser: Browser;
let admin: Visitor;
let developer: Visitor;
let api: ApiClient;
/** Open findings of the repository that the developer will own. */
let owned: number;

beforeAll(async () => {
  mailbox = await startMailServer();
  [installation, browser] = await Promise.all([
    startInstallation(undefined, { SMTP_URL: mailbox.url }),
    launchBrowser(),
  ]);
  // the operator has an organisation of their own, of which nobody else sees anything
  const operator = await setUp(installation.server);
  await operator.upload(await addRepository(operator, 'operator'), 'grype.json', await demoReport('grype.json'));
  admin = await newVisitor(browser, installation.server.url);
  admin.expectTrouble(/answer: 401 GET .*\/session/);
  developer = await newVisitor(browser, installation.server.url, { viewport: PHONE });
  developer.expectTrouble(/answer: 401 /);
  developer.expectTrouble(/Failed to load resource|EventSource/);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
  await mailbox.close();
});
stopAfterFailure();

const chooseAccount = async (page: Page, { username, password }: typeof ADMIN) => {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Repeat password').fill(password);
};

test('somebody registers, verifies by the mailed link, and has an organisation', async () => {
  const { page } = admin;
  await page.goto('/register');
  await page.getByLabel('Organisation').fill(ORGANIZATION);
  await page.getByLabel('Email').fill(ADMIN.email);
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  const { subject, link } = await takeMail(mailbox, ADMIN.email);
  expect(subject).toBe('Verify your registration at Breakwater');
  expect(new URL(link).origin).toBe(installation.server.url);
  await page.goto(link);
  await page.getByRole('heading', { name: `Join as admin of ${ORGANIZATION}` }).waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  await chooseAccount(page, ADMIN);
  await page.getByRole('button', { name: 'Create organisation' }).click();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  // the link is used up
  admin.expectTrouble(/answer: 40\d GET .*\/verify-register\//);
  await page.goto(link);
  await page.getByRole('button', { name: 'Send a new link' }).waitFor();
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
  await page.getByRole('heading', { name: 'Where are your findings?' }).waitFor();
  api = await signIn(installation.server, ADMIN.username, ADMIN.password);
  for (const [nickname, report] of [['harbour', 'grype.json'] as const, ['pier', 'trivy-secrets.json'] as const]) {
    const uploaded = await api.upload(await addRepository(api, nickname), report, await demoReport(report));
    expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(200);
    owned = uploaded.body.data.counts.total;
  }
  expect(owned).toBeGreaterThan(0);
});

test('they invite a developer, whom the mailed link leads to an account', async () => {
  const { page } = admin;
  await page.goto('/settings/team');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(DEVELOPER.email);
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('table').getByText(DEVELOPER.email).first().waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  // that it was sent is known, what it says is not: the link opens somebody else's account
  await page.goto('/mail');
  await page.getByText(`${ADMIN.username} invites you to ${ORGANIZATION}`).waitFor();
  expect(await page.locator('main').innerText()).not.toContain('accept-invite');

  const { link } = await takeMail(mailbox, DEVELOPER.email);
  await developer.page.goto(link);
  await developer.page.getByRole('heading', { name: `Join ${ORGANIZATION}` }).waitFor();
  expect(await accessibilityIssues(developer.page)).toEqual([]);
  await chooseAccount(developer.page, DEVELOPER);
  await developer.page.getByRole('button', { name: 'Accept the invitation' }).click();
  await developer.page.waitForURL('**/login');
  await page.goto('/notifications');
  await page.getByText(`${DEVELOPER.username} joined the organisation`).waitFor();
});

test('the developer sees nothing yet, sets up two-factor, and signs in with a code', async () => {
  const { page } = developer;
  await signInOnScreen(page, DEVELOPER.username, DEVELOPER.password);
  await page.goto('/findings/all');
  await eventually(() => listRows(page).count()).toBe(0);
  await page.goto('/settings/setup-2fa');
  await page.getByRole('button', { name: 'Set up two-factor' }).click();
  const picture = page.getByRole('img', { name: 'QR code of the secret below' });
  await picture.waitFor();
  const code = new URL(await readQrCode(picture));
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await readQrCode(picture)).toBe(code.href);
  await page.emulateMedia({ colorScheme: 'light' });
  // what an authenticator takes from its camera is all that this test knows: codes of it switch two-factor on and sign in
  const { issuer, secret = '' } = Object.fromEntries(code.searchParams);
  expect([code.protocol, code.host, issuer]).toEqual(['otpauth:', 'totp', 'Breakwater']);
  expect(decodeURIComponent(code.pathname)).toBe(`/Breakwater:${DEVELOPER.email}`);
  expect((await page.locator('code.secret').innerText()).replaceAll(' ', '')).toBe(secret);
  expect(await accessibilityIssues(page)).toEqual([]);
  // a code counts once: the sign-in takes that of the next period
  const codeOf = (period: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + period * 30 });
  await page.getByLabel('Code', { exact: true }).fill(codeOf(0));
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
  await eventually(() => page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').count()).toBe(10);
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('10 recovery codes left.').waitFor();
  await page.getByRole('button', { name: `Account of ${DEVELOPER.username}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  await page.getByLabel('Email or username').fill(DEVELOPER.username);
  await page.getByLabel('Password', { exact: true }).fill(DEVELOPER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByLabel('Code', { exact: true }).fill(codeOf(1));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
});

test('an assignment and a repository of their own are all that they see, with a notice on the open page', async () => {
  const { page } = admin;
  await page.goto('/findings/all?search=CVE-2023-44487');
  await listRows(page).first().getByRole('link').first().click();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Assign 1 finding' });
  await dialog.getByRole('option', { name: DEVELOPER.username }).click();
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  // by live events, without a reload
  await developer.page.locator('.bell-count').getByText('1').waitFor();

  await page.goto('/Repositories');
  await page.getByRole('link', { name: 'pier' }).click();
  await page.getByRole('region', { name: 'Settings' }).getByRole('button', { name: 'Owner' }).click();
  await page.getByRole('option', { name: DEVELOPER.username }).click();
  await page.getByText('Owner saved').waitFor();
  await page.goto('/Repositories');
  await page.getByRole('row', { name: /pier/ }).locator('.owner .avatar').getByText('DE').waitFor();

  const own = developer.page;
  await own.goto('/notifications');
  await own.getByRole('link', { name: 'A finding was assigned to you' }).click();
  await own.waitForURL('**/finding-details/**');
  await own.getByText('CVE-2023-44487').first().waitFor();
  await own.goto('/findings/all');
  await eventually(() => listCount(own).innerText()).toBe(`${1 + owned} findings`);
  await own.goto('/Repositories');
  await own.getByRole('link', { name: 'pier' }).waitFor();
  expect(await own.getByRole('link', { name: 'operator' }).count()).toBe(0);
  expect(await accessibilityIssues(own)).toEqual([]);
});

test('the admin removes them, and their open page signs out', async () => {
  const { page } = admin;
  await page.goto('/settings/team');
  await page.getByRole('button', { name: `Remove ${DEVELOPER.username}` }).click();
  const dialog = page.getByRole('dialog', { name: `Remove ${DEVELOPER.username}` });
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await developer.page.waitForURL('**/login**');
  developer.assertCalm();
  admin.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
