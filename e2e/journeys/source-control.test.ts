import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { ADMIN, type ApiClient, setUp } from '../harness/api.ts';
import { launchBrowser, newVisitor, takeShot, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { signInOnScreen } from '../harness/screens.ts';
import {
  expireOnSecondPage,
  isListing,
  REPOSITORIES,
  type SourceControls,
  startSourceControls,
} from '../harness/source-controls.ts';

/*
 * From the consent at a provider to the findings of a scan. The four providers keep what they are told, their repositories are real git
 * repositories, and Bandit is the real one.
 */
let fakes: SourceControls;
let installation: Installation;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  fakes = await startSourceControls();
  installation = await startInstallation(undefined, fakes.environment);
  fakes.github.known.setupUrl = `${installation.server.url}/oauth/callback/github`;
  browser = await launchBrowser();
  api = await setUp(installation.server);
  visitor = await newVisitor(browser, installation.server.url);
  ({ page } = visitor);
  visitor.context.setDefaultTimeout(120_000);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  await fakes?.close();
});
stopAfterFailure();

const PROVIDERS = [
  { id: 'github', title: 'GitHub', name: 'octo-org/repo-7', fields: {} },
  { id: 'gitlab', title: 'GitLab', name: 'acme/project-7', fields: {} },
  { id: 'bitbucket_cloud', title: 'Bitbucket Cloud', name: 'harbour/repo-7', fields: { Workspaces: 'harbour' } },
  { id: 'gitea', title: 'Gitea', name: 'acme/repo-7', fields: { Domain: 'git.harbour.example' } },
] as const;
const connector = async (id: string) => (await api.get(`/connectors/${id}`)).body.data.attributes;

const decide = async (decision: 'Authorize' | 'Cancel'): Promise<void> => {
  await page.getByRole('link', { name: decision }).click();
};

test('a person who says no at the provider comes back to what they can do', async () => {
  await page.goto('/connector?source_control=gitlab');
  await page.getByRole('button', { name: 'Connect with GitLab' }).click();
  await decide('Cancel');
  await page.getByText('The sign-in came to nothing').waitFor();
  visitor.expectTrouble(/answer: 400 POST .*\/api\/oauth\/token/);
  await page.getByRole('link', { name: 'Back to the connector' }).click();
  await page.getByRole('button', { name: 'Connect with GitLab' }).waitFor();
  visitor.assertCalm();
});

test.each(PROVIDERS)('$title is connected by consent', async ({ id, title, fields }) => {
  await page.goto(`/connector?source_control=${encodeURIComponent(title.toLowerCase())}`);
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('button', { name: `Connect with ${title}` }).click();
  await decide('Authorize');
  if (id === 'github') {
    await page.getByRole('button', { name: 'Choose repositories on GitHub' }).click();
    await decide('Authorize');
  }
  const card = page.getByRole('article', { name: title, exact: true });
  await card.getByText('Connected', { exact: true }).waitFor();
  await eventually(async () => (await connector(id)).state).toBe('connected');
  visitor.assertCalm();
});

const show = async (id: string): Promise<void> => {
  await page.goto(`/manage-repositories?source_control=${id}`);
  await page.getByText(`${REPOSITORIES} repositories`, { exact: true }).waitFor();
};

test.each(PROVIDERS)('the list of $title is whole although the token ends at its second page', async ({ id, name }) => {
  const fake = fakes[id];
  const before = fake.requests.filter(isListing).length;
  expireOnSecondPage(fake);
  await show(id);
  expect(fake.requests.filter(isListing).length - before).toBe(4);
  expect(fake.tokens.renewals).toBe(1);
  await page.getByRole('searchbox', { name: 'Search repositories' }).fill(name);
  await page.getByText(`11 of ${REPOSITORIES} repositories`).waitFor();
  await page.getByRole('button', { name: `Branch of ${name}: main` }).click();
  await page.getByRole('option', { name: 'main' }).waitFor();
  visitor.assertCalm();
});

test('all 250 of Gitea are imported, one of them with another branch', async () => {
  await show('gitea');
  await page.getByRole('button', { name: 'Branch of acme/repo-7: main' }).click();
  await page.getByRole('option', { name: 'branch-0' }).click();
  await page.getByRole('checkbox', { name: 'Select all 250' }).check({ force: true });
  expect(await accessibilityIssues(page)).toEqual([]);
  await takeShot(page, 'import-repositories');
  await page.getByRole('button', { name: 'Import 250 repositories' }).click();
  await page.getByText('250 repositories imported', { exact: true }).waitFor();
  const { body } = await api.get('/repositories?pagination=false&filters[source_control]=gitea');
  expect(body.meta.pagination.total).toBe(250);
  const rows: { nickname: string; repository_branch: string }[] = body.data.map(
    ({ attributes }: { attributes: object }) => attributes,
  );
  expect(rows.filter((row) => row.repository_branch === 'branch-0')).toMatchObject([{ nickname: 'acme/repo-7' }]);
  visitor.assertCalm();
});

test('one of GitHub has a page, on which what is set is kept with its history', async () => {
  await show('github');
  await page.getByRole('searchbox', { name: 'Search repositories' }).fill('octo-org/repo-77');
  await page.getByText(`1 of ${REPOSITORIES} repositories`).waitFor();
  await page.getByRole('checkbox', { name: 'Select octo-org/repo-77' }).check({ force: true });
  await page.getByRole('button', { name: 'Import 1 repository' }).click();
  await page.getByText('1 repository imported', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Go to the repositories' }).click();
  await page.getByRole('heading', { name: 'Repositories', exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search repositories' }).fill('octo-org/repo-77');
  await page.getByText('1 repository', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'octo-org/repo-77' }).first().click();
  await page.getByRole('heading', { name: 'octo-org/repo-77' }).waitFor();
  await page.getByLabel('Exposure').selectOption('internet');
  await page.getByText('Exposure: not set → internet').waitFor();
  await page.getByRole('region', { name: 'Trend' }).locator('figure svg').first().waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  await takeShot(page, 'repository');
  await page.reload();
  await eventually(() => page.getByLabel('Exposure').inputValue()).toBe('internet');
  visitor.assertCalm();
});

test('it is scanned by Bandit, whose progress and findings are seen', async () => {
  const repository = fakes.github.repositories[76];
  const git = await repository?.git();
  const code = 'import subprocess\n\n\ndef run(command):\n    return subprocess.call(command, shell=True)\n';
  await git?.commitFiles({ branch: 'main', message: 'Add the shop', files: { 'src/shop.py': code } });
  // GitHub is slow with whose token it is, until the scan was seen at work
  const seen = Promise.withResolvers<void>();
  fakes.github.faults.add({
    when: ({ path }) => path === '/user',
    fault: { answer: (real) => seen.promise.then(real) },
  });
  const scan = page.getByRole('region', { name: 'Scan by the server' });
  await scan.getByText('The server has not scanned it yet.').waitFor();
  await scan.getByRole('button', { name: 'Scan now' }).click();
  await scan.getByText(/^Scanning \d+%$/).waitFor();
  await scan.getByRole('progressbar', { name: 'Scan of the server' }).waitFor();
  await takeShot(page, 'repository-scanning');
  seen.resolve();
  // where ClamAV has no signatures the page says that it failed
  await scan.getByText(/^Done/).waitFor();
  await takeShot(page, 'repository-scanned');
  await page.getByRole('link', { name: 'Findings', exact: true }).last().click();
  const row = page.locator('tr.ft-row').filter({ hasText: 'shell=True' });
  await row.first().waitFor();
  const { body } = await api.get('/findings?filters[tool]=bandit');
  const found = body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
    attributes['rule_id'],
    attributes['file_path'],
    attributes['start_line'],
  ]);
  expect(found.toSorted()).toEqual([
    ['B404', 'src/shop.py', 1],
    ['B602', 'src/shop.py', 5],
  ]);
  visitor.assertCalm();
});

test('a Bitbucket token that ended and cannot be renewed: the connection is cleared, and its page says so', async () => {
  const { tokens } = fakes.bitbucket_cloud;
  const values = { oauth_token: tokens.access, refresh_token: tokens.access };
  const saved = await api.call('PUT', '/connectors/bitbucket_cloud', { values });
  expect(saved.body.data.attributes.state).toBe('connected');
  tokens.expire();
  visitor.expectTrouble(/answer: 409 GET .*\/bitbucket_cloud\/repositories/);
  await page.goto('/manage-repositories?source_control=bitbucket_cloud');
  await page.waitForURL((url) => url.pathname === '/connector');
  expect(new URL(page.url()).searchParams.get('source_control')).toBe('bitbucket cloud');
  const notice = 'Bitbucket cloud token expired, please create new one while redirecting to connector...';
  await page.getByText(notice).first().waitFor();
  await page.getByRole('button', { name: 'Connect with Bitbucket Cloud' }).waitFor();
  expect(await connector('bitbucket_cloud')).toMatchObject({
    state: 'absent',
    is_configured: false,
    fields: { oauth_token: { set: false }, refresh_token: { set: false }, workspaces: { value: null } },
  });
  const told = await installation.database.query(
    "select title, link from notifications where notification_type = 'token_expiring'",
  );
  expect(told).toEqual([{ title: notice, link: '/connector?source_control=bitbucket%20cloud' }]);
  visitor.assertCalm();
});

test('no page of the server, no answer and no line of its log carries a token', async () => {
  const said = JSON.stringify([await api.get('/connectors'), installation.server.lines, await page.content()]);
  for (const id of ['github', 'gitlab', 'bitbucket_cloud', 'gitea'] as const) {
    const { access, refresh } = fakes[id].tokens;
    expect([id, said.includes(access), said.includes(refresh)]).toEqual([id, false, false]);
  }
  expect(installation.server.errors()).toEqual([]);
});
