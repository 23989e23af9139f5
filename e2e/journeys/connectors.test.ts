import { ANSWER_FAULTS } from '@breakwater/sdk/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeGitea } from '../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { ADMIN, type ApiClient, setUp } from '../harness/api.ts';
import { launchBrowser, newVisitor, takeShot, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { signInOnScreen } from '../harness/screens.ts';
import type { RunningServer } from '../harness/server.ts';

const TOKEN = 'e2e-gitea-token-4711';
/** What the service takes once the first has ended. */
const NEW_TOKEN = `${TOKEN}-1`;

let gitea: Awaited<ReturnType<typeof startFakeGitea>>;
let installation: Installation;
let server: RunningServer;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;

beforeAll(async () => {
  gitea = await startFakeGitea({ token: TOKEN });
  installation = await startInstallation(undefined, { GITEA_BASE_URL: gitea.url.origin });
  ({ server } = installation);
  browser = await launchBrowser();
  api = await setUp(server);
  visitor = await newVisitor(browser, server.url);
  await signInOnScreen(visitor.page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  await gitea?.close();
});

const card = (page: Page): Locator => page.getByRole('article', { name: 'Gitea' });

/** Authorization of every request that the service got. */
const tokensSeen = () => new Set(gitea.requests.map(({ headers }) => headers['authorization']));

/** What the card says and what the server says are the same thing. */
const expectState = async (page: Page, state: string, word: RegExp, note: RegExp): Promise<void> => {
  await card(page).getByText(word).first().waitFor();
  await card(page).getByText(note).first().waitFor();
  const { body } = await api.get(`/connectors/${encodeURIComponent('source-control/gitea')}`);
  expect(body.data.attributes.state).toBe(state);
};

test('a provider answers wrongly, then rightly, then refuses: the card shows the true state at each step', async () => {
  const { page } = visitor;
  const proxy = ANSWER_FAULTS.find(({ name }) => name === 'answers with a page of a proxy');
  if (proxy === undefined) throw new Error('no such fault');
  gitea.faults.add({ fault: proxy });
  await page.goto('/connector/providers');
  await card(page).getByText('Not configured').waitFor();
  await page.getByRole('button', { name: 'Set up: Gitea' }).click();
  await page.getByLabel('Domain').fill('git.harbour.example');
  await page.getByLabel('Access token', { exact: true }).fill(TOKEN);
  await page.getByRole('button', { name: 'Check and save' }).click();
  await expectState(page, 'retrying', /Trying again/, /JSON|answered/);

  gitea.faults.clear();
  await page.getByRole('button', { name: 'Check again: Gitea' }).click();
  await expectState(page, 'connected', /^Connected$/, /as gopher/);
  expect(tokensSeen()).toEqual(new Set([`Bearer ${TOKEN}`]));
  await takeShot(page, 'connector-connected');

  gitea.known.tokens.expire();
  await page.getByRole('button', { name: 'Check again', exact: true }).click();
  await expectState(page, 'needsAuth', /Needs re-authorisation/, /refused|revoked|credential/i);
  expect(await accessibilityIssues(page)).toEqual([]);

  await page
    .getByRole('button', { name: /^Replace/ })
    .first()
    .click();
  await page.getByLabel('Access token', { exact: true }).fill(NEW_TOKEN);
  await page.getByRole('button', { name: 'Check and save' }).click();
  await expectState(page, 'connected', /^Connected$/, /as gopher/);
  expect(tokensSeen().has(`Bearer ${NEW_TOKEN}`)).toBe(true);
  visitor.assertCalm();
});

test('no page, answer or log line carries the token', async () => {
  const { page } = visitor;
  const html = await page.content();
  const answers = [await api.get('/connectors'), await api.get('/client')];
  for (const secret of [TOKEN, NEW_TOKEN]) {
    expect(html).not.toContain(secret);
    expect(JSON.stringify(answers)).not.toContain(secret);
    expect(server.lines.join('\n')).not.toContain(secret);
  }
});

test('another host never gets the token, and a deleted configuration is gone', async () => {
  const { page } = visitor;
  const path = `/connectors/${encodeURIComponent('source-control/gitea')}`;
  await page.getByRole('button', { name: 'Delete configuration' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete configuration' }).click();
  await card(page).getByText('Not configured').waitFor();
  const { body } = await api.get(path);
  expect(body.data.attributes).toMatchObject({ state: 'absent', is_configured: false });
  expect(body.data.attributes.fields.oauth_token).toMatchObject({ set: false, hint: null });
  visitor.assertCalm();
});

test('a provider page without its query is refused, also by the server', async () => {
  const answer = await fetch(`${server.url}/connector`, { redirect: 'manual' });
  expect(answer.status).toBe(403);
  const { page } = visitor;
  visitor.expectTrouble(/answer: 403/);
  await page.goto('/connector');
  await page.getByText('Source control not found. Check your setting on connector page').waitFor();
  await page.goto('/connector?source_control=gitea');
  await page.getByRole('heading', { name: 'Gitea' }).first().waitFor();
});
