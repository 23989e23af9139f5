import { startTestService, type TestService } from '@breakwater/sdk/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeJira, deliveryOf } from '../../plugins/tickets/src/server/testing/fake-jira.ts';
import { DONE, type FakeIssue, TRANSITIONS } from '../../plugins/tickets/src/server/testing/state.ts';
import { ADMIN, type ApiClient, addRepository, setUp } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { findingPanel, listRows, signInOnScreen } from '../harness/screens.ts';

/** Issue 14, point 7: an admin connects Jira, a finding becomes an issue there, and each side hears of the other. */

const TOKEN = 'jira-token-made-for-tests-only';
const SECRET = 'webhook-secret-made-for-tests-only';
const CARD = 'Jira Cloud';

let service: TestService;
let installation: Installation;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;
let page: Page;
let repository: string;
const jira = createFakeJira({ edition: 'cloud', token: TOKEN });

const finding = (title: string, file: string) => ({
  ...{ title, severity: 'high', type: 'SAST', rule_id: `rule-${file}` },
  ...{ file_path: file, start_line: 3, cwe: [89] },
});
const LOGIN = finding('SQL from the request in the login', 'routes/login.ts');
const SEARCH = finding('SQL from the request in the search', 'routes/search.ts');

/** A scan that finds these, and what it does not find any more is fixed. */
const scan = async (findings: readonly object[]): Promise<void> => {
  const report = { format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings };
  const sent = await api.upload(repository, 'acme.json', new TextEncoder().encode(JSON.stringify(report)));
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
};

/** The only issue in Jira of this number. */
const issueOf = (key: string): FakeIssue => {
  const issue = jira.issues.find((one) => one.key === key);
  if (issue === undefined) throw new Error(`no issue ${key}`);
  return issue;
};

const openFix = async (title: string): Promise<void> => {
  await page.goto('/findings');
  await listRows(page).getByRole('link', { name: title }).click();
  await findingPanel(page).getByRole('tab', { name: 'Fix' }).click();
};

const makeIssue = async (title: string, key: string): Promise<void> => {
  await openFix(title);
  await findingPanel(page).getByRole('button', { name: 'Prepare an issue' }).click();
  await findingPanel(page)
    .getByRole('button', { name: `Send to ${CARD}` })
    .click();
  const link = tickets().getByRole('link', { name: key });
  await eventually(() => link.getAttribute('href')).toBe(`${jira.baseUrl}/browse/${key}`);
};

const tickets = () => findingPanel(page).getByRole('list', { name: 'Tickets' });

beforeAll(async () => {
  service = await startTestService(jira.answer);
  const environment = { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true' };
  [installation, browser] = await Promise.all([startInstallation(undefined, environment), launchBrowser()]);
  api = await setUp(installation.server);
  repository = await addRepository(api, 'harbour');
  await scan([LOGIN, SEARCH]);
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

test('the admin connects Jira: its form offers projects and the types of the chosen one', async () => {
  await page.goto('/connector/providers');
  await page.getByRole('button', { name: `Set up: ${CARD}` }).click();
  await page.getByLabel('Site').fill(service.url.origin);
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('API token', { exact: true }).fill(TOKEN);
  await page.getByRole('button', { name: 'Choose Project' }).click();
  const projects = page.getByRole('dialog', { name: 'Project' });
  await projects.getByRole('option', { name: 'Operations (OPS)' }).waitFor();
  await lookAt(page, 'jira-projects');
  await projects.getByRole('option', { name: 'Security (SEC)' }).click();
  await eventually(() => page.getByLabel('Project', { exact: true }).inputValue()).toBe('SEC');
  await page.getByRole('button', { name: 'Choose Issue type' }).click();
  const types = page.getByRole('dialog', { name: 'Issue type' }).getByRole('option');
  await types.first().waitFor();
  // no sub-tasks: they need an issue above them
  expect(await types.allTextContents()).toEqual(['Task', 'Bug']);
  await types.filter({ hasText: 'Bug' }).click();
  await page.getByLabel('Webhook secret', { exact: true }).fill(SECRET);
  await lookAt(page, 'jira-form');
  await page.getByRole('button', { name: 'Check and save' }).click();
  await page
    .getByRole('article', { name: CARD })
    .getByText(/^Connected$/)
    .first()
    .waitFor();
  expect(jira.issues).toEqual([]);
  await lookAt(page, 'jira-connected');
  visitor.assertCalm();
});

test('a finding becomes one issue in Jira, which links back, and the finding shows its key and status', async () => {
  await makeIssue(LOGIN.title, 'SEC-1');
  await tickets().getByText('To Do').waitFor();
  await findingPanel(page).getByText('Issue opened').first().waitFor();
  expect(
    await findingPanel(page)
      .getByRole('button', { name: `Send to ${CARD}` })
      .count(),
  ).toBe(0);
  // it stands in Jira, not in the repository
  expect(await findingPanel(page).getByText('Issue in harbour').count()).toBe(0);
  expect(jira.issues).toHaveLength(1);
  expect(issueOf('SEC-1').fields).toMatchObject({ project: { key: 'SEC' }, priority: { name: 'High' } });
  await lookAt(page, 'jira-ticket');
  visitor.assertCalm();
});

test('Jira moves the issue, and the open page follows: in review, then done, which waits for the next scan', async () => {
  const { body } = await api.get('/connectors/jira_cloud');
  const { webhook_path: path } = body.data.attributes;
  const deliver = (key: string) => {
    const { headers, body: sent } = deliveryOf(issueOf(key), SECRET);
    return fetch(new URL(path, installation.server.url), { method: 'POST', headers, body: sent });
  };
  const [review] = TRANSITIONS;
  if (review === undefined) throw new Error('no transition');
  issueOf('SEC-1').status = review.to;
  expect((await deliver('SEC-1')).status).toBe(200);
  await tickets().getByText('In Review').waitFor();
  issueOf('SEC-1').status = DONE;
  expect((await deliver('SEC-1')).status).toBe(200);
  await tickets().getByText('Done').waitFor();
  await findingPanel(page).getByText('Fix merged').first().waitFor();
  const read = await api.get(`/findings?filters[file]=${LOGIN.file_path}`);
  expect(read.body.data[0].attributes).toMatchObject({ status: 'pr_accepted', verdict: 'none' });
  await lookAt(page, 'jira-ticket-done');
  visitor.assertCalm();
});

test('a scan no longer finds it: the issue in Jira is closed with a comment, and the page says so', async () => {
  await makeIssue(SEARCH.title, 'SEC-2');
  await tickets().getByText('To Do').waitFor();
  await scan([LOGIN]);
  // as if ten minutes had passed
  await installation.database.query('update ticket_deliveries set follow_at = now() where follow_at is not null');
  await eventually(() => issueOf('SEC-2').status).toEqual(DONE);
  await tickets().getByText('Done').waitFor();
  expect(issueOf('SEC-2').comments).toHaveLength(1);
  expect(JSON.stringify(issueOf('SEC-2').comments)).toContain('a scan no longer finds what this is about');
  expect(jira.issues).toHaveLength(2);
  visitor.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
