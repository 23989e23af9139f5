import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type ApiClient, setUp } from '../harness/api.ts';
import { accessibilityIssues, launchBrowser, newVisitor, takeShot, type Visitor } from '../harness/browser.ts';
import { type FakeService, LOGGED_IN_AS, startFakeGitea } from '../harness/fake-gitea.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { signInOnScreen } from '../harness/screens.ts';

let gitea: FakeService;
let installation: Installation;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;

beforeAll(async () => {
  gitea = await startFakeGitea();
  gitea.hold(250);
  gitea.answerWith(LOGGED_IN_AS('ada'));
  installation = await startInstallation(undefined, { GITEA_BASE_URL: gitea.url });
  browser = await launchBrowser();
  api = await setUp(installation.server);
  visitor = await newVisitor(browser, installation.server.url);
  await signInOnScreen(visitor.page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  await gitea?.close();
});
stopAfterFailure();

test('the first door ends at the repositories of the connection: 250 of three pages are imported', async () => {
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('link', { name: 'Choose a provider' }).click();
  await page.getByText('GitHub is not connected yet.').waitFor();
  const values = { oauth_token: 'e2e-gitea-token', protocol: 'https', hosted_domain: 'git.harbour.example', port: 443 };
  const saved = await api.call('PUT', `/connectors/${encodeURIComponent('source-control/gitea')}`, { values });
  expect(saved.body.data.attributes.state).toBe('connected');

  await page.goto('/manage-repositories');
  await page.getByText('250 repositories', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Branch of harbour/repository-007: main' }).click();
  await page.getByRole('option', { name: 'develop' }).click();
  await page.getByRole('checkbox', { name: 'Select all 250' }).check({ force: true });
  expect(await accessibilityIssues(page)).toEqual([]);
  await takeShot(page, 'import-repositories');
  await page.getByRole('button', { name: 'Import 250 repositories' }).click();
  await page.getByText('250 repositories imported', { exact: true }).waitFor();

  const { body } = await api.get('/repositories?pagination=false&filters[source_control]=gitea');
  expect(body.meta.pagination.total).toBe(250);
  const branches = body.data.map(
    ({ attributes }: { attributes: { nickname: string; repository_branch: string } }) => attributes,
  );
  expect(
    branches.filter(({ repository_branch }: { repository_branch: string }) => repository_branch === 'develop'),
  ).toMatchObject([{ nickname: 'harbour/repository-007' }]);
  visitor.assertCalm();
});

test('each has a page, on which what is set is kept with its history', async () => {
  const { page } = visitor;
  await page.getByRole('link', { name: 'Go to the repositories' }).click();
  await page.getByRole('searchbox', { name: 'Search repositories' }).fill('repository-007');
  await page.getByText('1 repository', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'harbour/repository-007' }).first().click();
  await page.getByRole('heading', { name: 'harbour/repository-007' }).waitFor();
  await page.getByLabel('Exposure').selectOption('internet');
  await page.getByText('Exposure: not set → internet').waitFor();
  await page.getByRole('region', { name: 'Trend' }).locator('figure svg').first().waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  await takeShot(page, 'repository');
  await page.reload();
  await eventually(() => page.getByLabel('Exposure').inputValue()).toBe('internet');
  visitor.assertCalm();
});
