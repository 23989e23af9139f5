import { readFile } from 'node:fs/promises';
import { type StartedProvider, startTestService, type TestService } from '@breakwater/sdk/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fakeOpenai } from '../../plugins/ai-remediator/src/server/testing/fake-openai.ts';
import { type FakeGitea, startFakeGitea } from '../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { ADMIN, type ApiClient, signIn } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, takeShot, type Visitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { demoFiles } from '../harness/reports.ts';
import {
  dropFiles,
  dropTexts,
  findingPanel,
  focusedFinding,
  listCount,
  listRows,
  setUpOnScreen,
  signInOnScreen,
} from '../harness/screens.ts';

/*
 * The ten minutes of ../shared/design/experience.md by one person, with clicks and keys counted; seconds are printed, not asserted. Gitea
 * and the model are fakes that answer as the documents of their makers say; all else is the product.
 */
const TOKEN = 'gitea-token-made-for-tests-only';
const MODEL_KEY = 'model-key-made-for-tests-only';
const APPLICATION = 'juice-shop';
const FILE = 'routes/login.ts';
const LINE = 36;
/** Line 36 of the demo application's `routes/login.ts`, as its reports quote it. */
const UNSAFE = `    models.sequelize.query(\`SELECT * FROM Users WHERE email = '\${req.body.email || ''}' AND password = '\${security.hash(req.body.password || '')}' AND deletedAt IS NULL\`, { model: UserModel, plain: true })`;
const SAFE =
  "    models.sequelize.query('SELECT * FROM Users WHERE email = ? AND password = ? AND deletedAt IS NULL', { replacements: [req.body.email || '', security.hash(req.body.password || '')], model: UserModel, plain: true })";
const LOGIN = [
  "import { type Request, type Response, type NextFunction } from 'express'",
  "import * as models from '../models/index'",
  "import { UserModel } from '../models/user'",
  "import * as security from '../lib/insecurity'",
  '',
  ...Array.from({ length: 27 }, (_, index) => `// what the sign-in knows, ${index + 1}`),
  '',
  'export function login () {',
  '  return (req: Request, res: Response, next: NextFunction) => {',
  UNSAFE,
  '      .then((user) => { res.json(user) })',
  '      .catch((error: Error) => { next(error) })',
  '  }',
  '}',
  '',
].join('\n');

let gitea: StartedProvider<FakeGitea>;
let model: TestService;
let installation: Installation;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  gitea = await startFakeGitea({ token: TOKEN });
  const edit = { file: FILE, search: UNSAFE, replace: SAFE };
  const text = JSON.stringify({ summary: 'Bind the values.', explanation: 'They are data now.', edits: [edit] });
  model = await startTestService(
    fakeOpenai({ key: MODEL_KEY, model: 'gpt-4.1', isChatModel: true, pieces: [text], lineEnd: '\n' }),
  );
  installation = await startInstallation(undefined, { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true' });
  browser = await launchBrowser();
  visitor = await newVisitor(browser, installation.server.url);
  ({ page } = visitor);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
});
afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  await gitea?.close();
  await model?.close();
});
stopAfterFailure();
afterEach(() => {
  visitor.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});

/** What the person does; a drop of files counts as a click, and each character typed as a key. */
const acts = { clicks: 0, keys: 0, since: 0 };
const begin = (): void => {
  Object.assign(acts, { clicks: 0, keys: 0, since: performance.now() });
};
const report = (what: string): void => {
  const seconds = ((performance.now() - acts.since) / 1000).toFixed(1);
  process.stdout.write(`${what}: ${acts.clicks} clicks, ${acts.keys} keys, ${seconds} s\n`);
};
const click = async (target: Locator): Promise<void> => {
  acts.clicks += 1;
  await target.click();
};
const press = async (key: string): Promise<void> => {
  acts.keys += 1;
  await page.keyboard.press(key);
};
const type = async (target: Locator, text: string): Promise<void> => {
  acts.keys += text.length;
  await target.fill(text);
};

const count = async (): Promise<number> =>
  Number((await listCount(page).innerText()).split(' of ')[0]?.replaceAll(/\D/g, ''));

test('minute 0: three doors after the set-up', async () => {
  await setUpOnScreen(page);
  for (const door of ['Connect source control', 'Upload reports', 'Look around with sample data'])
    await page.getByRole('heading', { name: door }).waitFor();
  api = await signIn(installation.server, ADMIN.username, ADMIN.password);
});

test('minutes 0 to 1: five reports dropped, and the first prioritised finding in four clicks', async () => {
  const files = await demoFiles();
  begin();
  acts.clicks += 1;
  await dropFiles(
    page,
    page.locator('.dropzone').first(),
    files.map(({ file }) => file),
  );
  const dialog = page.getByRole('dialog');
  await type(dialog.getByLabel('Application'), APPLICATION);
  await click(dialog.getByRole('button', { name: 'Upload 5 reports' }));
  await dialog.getByText(`Reports of ${APPLICATION} imported`).waitFor();
  const summary = await dialog.getByRole('status').innerText();
  for (const part of ['163 results', '840 components']) expect(summary).toContain(part);
  expect(await dialog.getByText('Not imported').count()).toBe(0);
  await click(dialog.getByRole('button', { name: 'Show findings' }));
  await listRows(page).first().waitFor();
  report('from the doors to the first prioritised finding');
  expect(acts.clicks).toBeLessThanOrEqual(4);
});

test('minutes 1 to 2: the exploited one is among the first three, and says why', async () => {
  await eventually(async () => (await listRows(page).allInnerTexts()).slice(0, 3).join('\n')).toContain(
    'CVE-2023-44487',
  );
  await click(listRows(page).filter({ hasText: 'CVE-2023-44487' }).first().getByRole('link').first());
  const panel = findingPanel(page);
  await panel.getByRole('heading', { name: 'Why this score' }).waitFor();
  await panel.getByText(/The parts add up to \d+(\.\d{3})?\./).waitFor();
  await takeShot(page, 'ten-minutes-why');
  await press('Escape');
});

test('minutes 2 to 3: filtered to injection, and a colleague who is given the address sees the same rows', async () => {
  await page.goto('/findings?owasp=A05:2025');
  await eventually(count).toBeGreaterThan(0);
  await listRows(page).first().waitFor();
  const rows = await listRows(page).allInnerTexts();
  const colleague = await newVisitor(browser, installation.server.url);
  colleague.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(colleague.page, ADMIN.username, ADMIN.password);
  await colleague.page.goto(page.url());
  await eventually(() => listRows(colleague.page).allInnerTexts()).toEqual(rows);
  colleague.assertCalm();
  await colleague.context.close();
});

test('minutes 3 to 5: ten verdicts by keys, and thirteen findings marked together', async () => {
  await page.goto('/findings?tool=grype');
  await eventually(count).toBeGreaterThan(30);
  await listRows(page).first().getByRole('link').first().waitFor();
  const before = await count();
  begin();
  await press('j');
  for (let done = 0; done < 10; done += 1) {
    await eventually(() => focusedFinding(page)).not.toBeNull();
    const id = await focusedFinding(page);
    await press('f');
    await page.locator('textarea:focus').waitFor();
    await press('1');
    await press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(count).toBe(before - done - 1);
    await eventually(() => focusedFinding(page)).not.toBe(id);
  }
  report('ten verdicts by keyboard');
  expect(acts.keys).toBeLessThanOrEqual(31);

  begin();
  await press('x');
  await page.getByRole('toolbar', { name: 'Selected findings' }).getByText('1 selected').waitFor();
  for (let done = 0; done < 12; done += 1) {
    await press('j');
    await press('x');
  }
  const bar = page.getByRole('toolbar', { name: 'Selected findings' });
  await bar.getByText('13 selected').waitFor();
  await click(bar.getByRole('button', { name: 'False positive' }));
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.type('Only used by tests');
  await press('Enter');
  await page.getByText('13 marked false positive').waitFor();
  await eventually(count).toBe(before - 23);
  report('thirteen marked together');
});

test('meanwhile: source control and model are connected, and the application is linked to its repository', async () => {
  const [repository] = gitea.repositories;
  if (repository === undefined) throw new Error('no repository');
  const git = await repository.git();
  await git.commitFiles({ branch: 'main', message: 'Add the shop', files: { [FILE]: LOGIN } });
  const values = { oauth_token: TOKEN, protocol: 'http', hosted_domain: '127.0.0.1', port: Number(gitea.url.port) };
  const connected = await api.call('PUT', '/connectors/gitea', { values });
  expect(connected.body.data.attributes.state, JSON.stringify(connected.body)).toBe('connected');
  const remediator = {
    ...{ type: 'openai', api_key: MODEL_KEY, deployment_name: 'gpt-4.1', version: 'v1', base_url: model.url.origin },
    ...{ input_price: 2, output_price: 8 },
  };
  const saved = await api.call('POST', '/client/openai', { remediator });
  expect(saved.body.data.remediator.state, JSON.stringify(saved.body)).toBe('connected');

  await page.goto('/Repositories');
  await page.getByRole('link', { name: APPLICATION, exact: true }).click();
  await page.getByRole('button', { name: 'Link to its repository' }).click();
  const dialog = page.getByRole('dialog', { name: `Link ${APPLICATION} to its repository` });
  const option = dialog.getByRole('option', { name: 'acme/repo-1', exact: true });
  await option.waitFor();
  await lookAt(page, 'link-repository');
  await option.click();
  await dialog.getByRole('button', { name: 'Link repository' }).click();
  await page.getByText(`${APPLICATION} is linked to its repository`).waitFor();
  await page.getByRole('link', { name: `${gitea.url.origin}/acme/repo-1.git` }).waitFor();
  // what is set wrong at the provider becomes findings, in a job; later steps count
  await eventually(() => installation.database.query('select 1 as there from repository_posture')).toEqual([
    { there: 1 },
  ]);
});

test('minutes 5 to 7: from the finding in code to its pull request, with a line of the patch edited', async () => {
  await page.goto(`/findings?search=${FILE}`);
  const row = listRows(page).filter({ hasText: `${FILE}:${LINE}` });
  await row.first().waitFor();
  begin();
  await click(row.first().getByRole('link').first());
  const panel = findingPanel(page);
  await click(panel.getByRole('tab', { name: 'Fix' }));
  await click(panel.getByRole('button', { name: 'Ask AI' }));
  await panel.getByText('SELECT * FROM Users WHERE email = ?').first().waitFor();
  await panel.getByText(`Pull request in ${APPLICATION}:`).waitFor();
  await takeShot(page, 'ten-minutes-fix');
  report('from the finding to its fix');
  const clicksToFix = acts.clicks;
  await click(panel.getByRole('link', { name: 'Review and edit the patch' }));
  const after = page.getByLabel(`${FILE} after the patch`);
  await after.waitFor();
  await after.getByText('.then((user)').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' // values are bound');
  await page.getByText('Not saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Open pull request' }).click();
  const link = page.getByRole('link', { name: 'Open pull request 1' });
  await eventually(() => link.getAttribute('href')).toContain('/acme/repo-1/pulls/1');
  // without an edit it is one click more in the panel
  expect(clicksToFix + 1).toBeLessThanOrEqual(4);
  const branch = (await page.locator('.place code').first().textContent()) ?? '';
  const git = await gitea.repositories[0]?.git();
  const written = (await git?.readFile(`refs/heads/${branch}`, FILE))?.content.toString('utf8');
  expect(written).toBe(
    LOGIN.replace(UNSAFE, () => SAFE).replace(
      '.then((user) => { res.json(user) })',
      '.then((user) => { res.json(user) }) // values are bound',
    ),
  );
});

test('minutes 7 to 8: sent to a developer, who sees a notice and that finding alone', async () => {
  const { username } = await installation.database.addUser('developer');
  await page.goto(`/findings?search=${FILE}`);
  const row = listRows(page).filter({ hasText: `${FILE}:${LINE}` });
  await row.first().getByRole('link').first().click();
  await findingPanel(page).getByRole('tab', { name: 'Fix' }).waitFor();
  begin();
  await press('a');
  const dialog = page.getByRole('dialog', { name: 'Assign 1 finding' });
  await click(dialog.getByRole('option', { name: username }));
  await click(dialog.getByRole('button', { name: 'Assign', exact: true }));
  await dialog.waitFor({ state: 'hidden' });
  report('sent to a developer');
  const developer = await newVisitor(browser, installation.server.url);
  developer.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(developer.page, username, PASSWORD);
  await developer.page.locator('.bell-count').getByText('1').waitFor();
  await developer.page.goto('/findings/all');
  await eventually(() => listCount(developer.page).innerText()).toBe('1 finding');
  developer.assertCalm();
  await developer.context.close();
});

/** Uploads again to the same application. @returns what the dialog says in the end. */
const uploadAgain = async (files: readonly { name: string; text: string }[]): Promise<string> => {
  await page.goto('/findings/all');
  await listRows(page).first().waitFor();
  await page.getByRole('button', { name: 'Upload reports' }).click();
  const dialog = page.getByRole('dialog');
  await dropTexts(page, dialog.locator('.drop, .dropzone').first(), files);
  await dialog.getByLabel('Application').fill(APPLICATION);
  await dialog.getByRole('button', { name: /^Upload \d+ reports?$/ }).click();
  await dialog.getByText(new RegExp(`reports? of ${APPLICATION} imported`, 'i')).waitFor();
  const text = await dialog.innerText();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  return text;
};

test('minutes 8 to 9: the same reports change nothing; a newer one closes what is gone and revives nothing', async () => {
  const files = await Promise.all(
    (await demoFiles()).map(async ({ name, file }) => ({ name, text: await readFile(file, 'utf8') })),
  );
  const verdicts = async () =>
    (await api.get('/findings?filters[false_positive]=only&pagination[pageSize]=1')).body.meta.pagination.total;
  const closed = async () =>
    (await api.get('/findings?filters[status]=mitigated&pagination[pageSize]=1')).body.meta.pagination.total;
  expect(await verdicts()).toBe(23);
  const again = await uploadAgain(files);
  expect(again).not.toMatch(/[1-9]\d* (new|closed|reopened)/);
  expect([await verdicts(), await closed()]).toEqual([23, 0]);

  const grype = files.find(({ name }) => name === 'grype.json');
  const newer = JSON.parse(grype?.text ?? '{}');
  // a newer Go, as far as these ids go
  newer.matches = newer.matches.filter(
    ({ vulnerability }: { vulnerability: { id: string } }) => !/[1-4]$/.test(vulnerability.id),
  );
  const text = await uploadAgain([{ name: 'grype.json', text: JSON.stringify(newer) }]);
  expect(text).toMatch(/[1-9]\d* closed/);
  expect(text).not.toMatch(/[1-9]\d* (new|reopened)/);
  expect(await verdicts()).toBe(23);
  expect(await closed()).toBeGreaterThan(0);
});

test('minutes 9 to 10: on the dashboard a figure, the list behind it and its export agree', async () => {
  await page.goto('/');
  const card = page.getByRole('region', { name: 'OWASP Top 10, 2025', exact: true });
  for (const name of ['OWASP Top 10, 2025', 'By severity'])
    await page.getByRole('region', { name, exact: true }).waitFor();
  await takeShot(page, 'ten-minutes-dashboard');
  begin();
  await click(card.getByRole('button', { name: 'Table', exact: true }));
  const link = card.locator('td a').first();
  const figure = Number((await link.innerText()).trim());
  await click(link);
  await page.waitForURL(/owasp=A/);
  await eventually(count).toBe(figure);
  await click(page.getByRole('button', { name: 'Export' }));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    click(page.getByRole('menuitem', { name: 'CSV' })),
  ]);
  const csv = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(csv).toHaveLength(figure + 1);
  report('from the dashboard to the export');
});
