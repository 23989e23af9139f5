import { startTestService, type TestService } from '@breakwater/sdk/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeSlack, SLACK_WEBHOOK } from '../../plugins/notify/src/server/testing/fake-slack.ts';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { ADMIN, type ApiClient, addRepository, setUp } from '../harness/api.ts';
import { launchBrowser, newVisitor, PHONE, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { demoReport } from '../harness/reports.ts';
import { listCount, signInOnScreen } from '../harness/screens.ts';

/** Issue 15, point 6: an admin connects Slack, chooses what it is told, and a critical finding arrives there. */

let service: TestService;
let installation: Installation;
let browser: Browser;
let api: ApiClient;
let admin: Visitor;
const slack = createFakeSlack();

beforeAll(async () => {
  service = await startTestService(slack.answer);
  const environment = (url: string) => ({ SLACK_BASE_URL: service.url.href, BREAKWATER_PUBLIC_URL: url });
  [installation, browser] = await Promise.all([startInstallation(undefined, environment), launchBrowser()]);
  api = await setUp(installation.server);
  admin = await newVisitor(browser, installation.server.url);
  admin.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(admin.page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
  await service.close();
});
stopAfterFailure();

test('from the preferences the admin comes to the card and connects Slack, where nothing appears', async () => {
  const { page } = admin;
  await page.goto('/settings/notifications');
  await page.getByRole('link', { name: 'Connect Slack' }).click();
  await page.getByLabel('Webhook URL').fill(SLACK_WEBHOOK);
  await page.getByLabel('Channel', { exact: true }).fill('#security');
  await page.getByRole('button', { name: 'Check and save' }).click();
  await page.getByText('Connected', { exact: true }).first().waitFor();
  await page.getByText('#security').first().waitFor();
  expect(slack.messages).toEqual([]);
});

test('they send a test and choose critical findings', async () => {
  const { page } = admin;
  await page.goto('/settings/notifications');
  const channel = page.getByRole('region', { name: 'Slack' });
  await channel.getByRole('button', { name: 'Send a test: Slack' }).click();
  await page.getByText('The test message was sent').waitFor();
  expect(slack.messages).toMatchObject([{ text: 'This is a test by Breakwater' }]);
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  await channel.getByText('Critical finding').click();
  expect((await saved).status()).toBe(200);
  await page.reload();
  await eventually(() => channel.getByLabel('Critical finding').isChecked()).toBe(true);
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await accessibilityIssues(page)).toEqual([]);
});

test('a report with critical findings is told in Slack once', async () => {
  slack.messages.length = 0;
  const repository = await addRepository(api, 'harbour');
  const uploaded = await api.upload(repository, 'grype.json', await demoReport('grype.json'));
  expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(200);
  await eventually(() => slack.messages.length).toBe(1);
  const [message] = slack.messages;
  expect(message?.text).toMatch(/^\d+ new critical findings?: Grype on harbour$/);
  const link = /https?:[^"|>]+/.exec(JSON.stringify(message))?.[0] ?? '';
  expect(link.startsWith(`${installation.server.url}/findings`), link).toBe(true);
  await admin.page.goto(link);
  await eventually(() => listCount(admin.page).innerText()).toMatch(/^\d+ findings?/);
  // the bell of the same admin counts it too
  await eventually(() => admin.page.locator('.bell-count').textContent()).toMatch(/unread/);
  admin.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
