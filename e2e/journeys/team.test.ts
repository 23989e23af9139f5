import { generateSync } from 'otplib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type ApiClient, addRepository, setUp } from '../harness/api.ts';
import { accessibilityIssues, launchBrowser, newVisitor, PHONE, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { stopAfterFailure } from '../harness/journey.ts';
import { readQrCode } from '../harness/qr-code.ts';
import { demoReport } from '../harness/reports.ts';
import { signInOnScreen } from '../harness/screens.ts';

/** Issue 15, point 5: a person is invited, works, and is removed. */

const EMAIL = 'dev@harbour.example';
const USERNAME = 'dev';
const PASSWORD = 'Quiet-Harbour-7!';

let installation: Installation;
let browser: Browser;
let api: ApiClient;
let admin: Visitor;
let developer: Visitor;
let link: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  api = await setUp(installation.server);
  const repository = await addRepository(api, 'harbour');
  const uploaded = await api.upload(repository, 'grype.json', await demoReport('grype.json'));
  expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(200);
  admin = await newVisitor(browser, installation.server.url);
  admin.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(admin.page, ADMIN.username, ADMIN.password);
  developer = await newVisitor(browser, installation.server.url, { viewport: PHONE });
  developer.expectTrouble(/answer: 401 /);
  developer.expectTrouble(/Failed to load resource|EventSource/);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});
stopAfterFailure();

test('an admin invites a developer and gets the link, because no mail is sent', async () => {
  const { page } = admin;
  await page.goto('/settings/team');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(EMAIL);
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const shown = page.getByRole('textbox', { name: 'Invitation link' });
  await shown.waitFor();
  link = await shown.inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('table').getByText(EMAIL).first().waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
});

test('the developer accepts, signs in, and sees what is assigned to them alone, with a notice', async () => {
  const { page } = developer;
  await page.goto(link);
  await page.getByRole('heading', { name: `Join ${ADMIN.organization_name}` }).waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByLabel('Username').fill(USERNAME);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.waitForURL('**/login');

  const { body: team } = await api.get('/users-developer');
  const { body: findings } = await api.get('/findings?pagination_pageSize=1');
  const [finding] = findings.data;
  const sent = await api.call('POST', `/finding-send/${finding._id}`, { developer_ids: [team.data[0]._id] });
  expect(sent.body.data.sent).toBe(1);

  await signInOnScreen(page, USERNAME, PASSWORD);
  await page.goto('/findings/all');
  await page.getByText('1 finding', { exact: true }).waitFor();
  await page.goto('/notifications');
  await page.getByRole('link', { name: 'A finding was assigned to you' }).waitFor();
  await page.getByTitle('1', { exact: true }).waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
});

test('the developer sets up two-factor, and signs in with a code', async () => {
  const { page } = developer;
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
  expect(decodeURIComponent(code.pathname)).toBe(`/Breakwater:${EMAIL}`);
  expect((await page.locator('code.secret').innerText()).replaceAll(' ', '')).toBe(secret);
  expect(await accessibilityIssues(page)).toEqual([]);
  // a code counts once: the sign-in takes that of the next period
  const codeOf = (period: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + period * 30 });
  await page.getByLabel('Code', { exact: true }).fill(codeOf(0));
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
  expect(await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').count()).toBe(10);
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('10 recovery codes left.').waitFor();
  await page.getByRole('button', { name: `Account of ${USERNAME}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  await page.getByLabel('Email or username').fill(USERNAME);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.getByLabel('Code', { exact: true }).fill(codeOf(1));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
});

test('the admin removes them, and their open page signs out', async () => {
  const { page } = admin;
  await page.goto('/settings/team');
  await page.getByRole('button', { name: `Remove ${USERNAME}` }).click();
  const dialog = page.getByRole('dialog', { name: `Remove ${USERNAME}` });
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await developer.page.waitForURL('**/login**');
  developer.assertCalm();
  admin.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
