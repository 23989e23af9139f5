import { startTestService, type TestService } from '@breakwater/sdk/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeJira, deliveryOf } from '../../plugins/tickets/src/server/testing/fake-jira.ts';
import { DONE, TRANSITIONS } from '../../plugins/tickets/src/server/testing/state.ts';
import { ADMIN, type ApiClient, addRepository, setUp } from '../harness/api.ts';
import { accessibilityIssues, launchBrowser, newVisitor, takeShot, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { findingPanel, listRows, signInOnScreen } from '../harness/screens.ts';

/*
 * From the card of Jira to an issue that follows its finding, by one person in the browser. Jira is a fake with state; all else is the product.
 */
const TOKEN = 'jira-token-made-for-tests-only';
const SECRET = 'webhook-secret-made-for-tests-only';
const TITLE = 'Session cookie without the flag Secure';
const FINDINGS = [
  { title: TITLE, severity: 'high', type: 'SAST', rule_id: 'cookie', file_path: 'src/session.ts', start_line: 7 },
  { title: 'Weak hash', severity: 'low', type: 'SAST', rule_id: 'md5', file_path: 'src/hash.ts', start_line: 3 },
];

const jira = createFakeJira({ edition: 'cloud', token: TOKEN });
let service: TestService;
let installation: Installation;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;
let page: Page;
let repository: string;

/** A whole report of the shop. */
const upload = async (findings: readonly object[]): Promise<void> => {
  const report = { format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings };
  const sent = await api.upload(repository, 'acme.json', new TextEncoder().encode(JSON.stringify(report)));
  expect(sent.status, JSON.stringify(sent.body)).toBeLessThan(300);
};

const issue = () => {
  const [only] = jira.issues;
  if (only === undefined || jira.issues.length > 1) throw new Error(`${jira.issues.length} issues`);
  return only;
};

beforeAll(async () => {
  service = await startTestService(jira.answer);
  installation = await startInstallation(undefined, { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true' });
  browser = await launchBrowser();
  api = await setUp(installation.server);
  repository = await addRepository(api, 'shop');
  await upload(FINDINGS);
  visitor = await newVisitor(browser, installation.server.url);
  ({ page } = visitor);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  await service?.close();
});
stopAfterFailure();

test('Jira is connected with a project and a type chosen from what it has', async () => {
  // it is asked before the token is right
  visitor.expectTrouble(/answer: 502 POST .*\/offers/);
  await page.goto('/connector/tools');
  await page.getByRole('button', { name: 'Set up: Jira Cloud' }).click();
  await page.getByLabel('Site').fill(service.url.origin);
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('API token', { exact: true }).fill('mistyped');
  await page.getByRole('button', { name: 'Choose Project' }).click();
  await page.getByRole('dialog', { name: 'Project' }).getByText('The values could not be read').waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  await takeShot(page, 'jira-choose-refused');
  await page.keyboard.press('Escape');
  await page.getByLabel('API token', { exact: true }).fill(TOKEN);
  await page.getByRole('button', { name: 'Choose Project' }).click();
  await page.getByRole('combobox', { name: 'Search Project' }).fill('secu');
  await takeShot(page, 'jira-choose-project');
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await eventually(() => page.getByRole('textbox', { name: 'Project' }).inputValue()).toBe('SEC');
  await page.getByRole('button', { name: 'Choose Issue type' }).click();
  await page.getByRole('option', { name: 'Bug' }).click();
  await page.getByLabel('Webhook secret', { exact: true }).fill(SECRET);
  await takeShot(page, 'jira-form');
  await page.getByRole('button', { name: 'Check and save' }).click();
  await page.getByRole('article', { name: 'Jira Cloud' }).getByText('Connected', { exact: true }).waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await accessibilityIssues(page, 'colours')).toEqual([]);
  await takeShot(page, 'jira-connected-dark');
  await page.setViewportSize({ width: 390, height: 844 });
  await takeShot(page, 'jira-connected-390');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  visitor.assertCalm();
});

test('a finding gets its issue, whose status is followed', async () => {
  await page.goto('/findings');
  await listRows(page).getByRole('link', { name: TITLE }).click();
  const panel = findingPanel(page);
  await panel.getByRole('tab', { name: 'Fix' }).click();
  await panel.getByRole('button', { name: 'Prepare an issue' }).click();
  await panel.getByRole('button', { name: 'Send to Jira Cloud' }).click();
  const tickets = panel.getByRole('list', { name: 'Tickets' });
  await tickets.getByRole('link', { name: 'SEC-1' }).waitFor();
  await tickets.getByText('To Do').waitFor();
  expect(issue().fields).toMatchObject({
    project: { key: 'SEC' },
    issuetype: { id: '10002' },
    priority: { name: 'High' },
  });
  await takeShot(page, 'jira-ticket');
  issue().status = TRANSITIONS[0]?.to ?? DONE;
  const { body } = await api.get('/connectors/jira_cloud');
  const { headers, body: delivery } = deliveryOf(issue(), SECRET);
  const address = new URL(body.data.attributes.webhook_path, installation.server.url);
  expect((await fetch(address, { method: 'POST', headers, body: delivery })).status).toBe(200);
  // without a click: the status arrives as an event
  await tickets.getByText('In Review').waitFor();
  visitor.assertCalm();
});

test('once a scan finds it fixed, the issue is closed in Jira with the reason', async () => {
  await upload(FINDINGS.slice(1));
  await installation.database.query('update ticket_deliveries set follow_at = now()');
  await eventually(() => issue().status.name).toBe('Done');
  expect(JSON.stringify(issue().comments)).toContain('fixed');
  const panel = findingPanel(page);
  await panel.getByRole('list', { name: 'Tickets' }).getByText('Done').waitFor();
  await takeShot(page, 'jira-ticket-done');
  visitor.assertCalm();
});
