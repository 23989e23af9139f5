import { startTestService, type TestService } from '@breakwater/sdk/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFakeDesk } from '../../sdk/src/declarative/__fixtures__/fake-desk.ts';
import { setUp, signIn } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, type Visitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { stopAfterFailure } from '../harness/journey.ts';
import { signInOnScreen } from '../harness/screens.ts';
import { removeFolder, startServer } from '../harness/server.ts';
import { rest } from '../harness/visit.ts';

/** Issue 18, point 3: from an empty form to a published connector, and to its first finding. */

const KEY = 'dock/key+"1234"&c';
let installation: Installation;
let browser: Browser;
let service: TestService;
let vendor: string;
let admin: Visitor;
let username: string;
const asked: string[] = [];
const desk = createFakeDesk(KEY);

const issue = (number: number) => ({
  rule: `dock-${number}`,
  message: `SQL is built from input ${number}`,
  level: number % 2 === 0 ? 'MAJOR' : 'MINOR',
  file: 'src/query.ts',
  line: number,
  // what a careless service repeats, and what is personal
  debug: { header: `Bearer ${KEY}`, encoded: Buffer.from(KEY).toString('base64') },
  author: 'ada.lovelace@dock.example',
});

beforeAll(async () => {
  service = await startTestService((request) => {
    const { method, path, query, headers } = request;
    asked.push(`${headers['authorization']} ${method} ${path}`);
    if (headers['authorization'] !== `Bearer ${KEY}`) return { status: 401, json: { message: 'Bad key.' } };
    if (path === '/v1/account') return { json: { name: 'Dock of Ada', key: KEY } };
    if (path !== '/v1/issues') return desk.answer(request);
    const page = Number(query.get('page') ?? 1);
    return { json: { issues: page > 2 ? [] : [1, 2, 3, 4].map((at) => issue(page * 10 + at)) } };
  });
  vendor = service.url.origin;
  [installation, browser] = await Promise.all([
    startInstallation(undefined, { CONNECTOR_DRAFT_BASE_URL: `${vendor}/v1` }),
    launchBrowser(),
  ]);
  await setUp(installation.server);
  ({ username } = await installation.database.addUser('admin'));
  admin = await newVisitor(browser, installation.server.url);
  admin.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(admin.page, username, PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await service.close();
  await installation.stop();
});
afterEach(() => {
  admin.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
stopAfterFailure();

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const fill = (page: Page, region: string, label: string, value: string) =>
  part(page, region).getByLabel(label, { exact: true }).fill(value);

test('an empty form is filled in, and the draft outlives a reload', async () => {
  const { page } = admin;
  await page.goto('/connector/published');
  await page.getByRole('link', { name: 'Build a connector' }).click();
  await part(page, 'Card').waitFor();
  await rest(page);
  await lookAt(page, 'builder-empty');
  await fill(page, 'Card', 'Name', 'Dock Scan');
  await fill(page, 'Card', 'Id', 'dock-scan');
  await fill(page, 'Card', 'Description', 'Pulls findings of Dock Scan.');
  await fill(page, 'Card', 'Documentation', 'https://dock.example/docs');
  await fill(page, 'Service', 'Address', 'https://api.dock.example/v1');
  await fill(page, 'Service', 'Hosts', '*.dock.example');
  await fill(page, 'Check', 'Path', '/account');
  await fill(page, 'Check', 'Identity', 'name');
  await fill(page, 'Findings', 'Path', '/issues');
  await fill(page, 'Findings', 'Records', 'issues');
  await part(page, 'Findings').getByLabel('Pages', { exact: true }).selectOption('page');
  await fill(page, 'Findings', 'Records of a page', '4');
  await fill(page, 'Mapping', 'ruleId', 'rule');
  await fill(page, 'Mapping', 'title', 'message');
  await fill(page, 'Mapping', 'severity', 'level)');
  await part(page, 'Mapping').getByLabel('Add a field of the finding').selectOption('locations');
  await fill(page, 'Mapping', 'locations', "[{ 'path': file, 'startLine': line }]");
  // what is wrong stands at its field, and beside the text
  await part(page, 'Mapping')
    .getByText(/is no JSONata/)
    .waitFor();
  await lookAt(page, 'builder-issues');
  await page.reload();
  await fill(page, 'Mapping', 'severity', 'level');
  await part(page, 'Service')
    .getByText(/is no literal host/)
    .waitFor();
  await fill(page, 'Service', 'Hosts', 'api.dock.example');
  await part(page, 'Document').getByText('To be done before it can be published').waitFor({ state: 'detached' });
  const text = await page.getByLabel('connector.json').inputValue();
  expect(JSON.parse(text)).toMatchObject({ id: 'dock-scan', permissions: { egress: ['api.dock.example'] } });
});

test('it is tested with the service: why it does not work yet, then what it brings', async () => {
  const { page } = admin;
  const region = part(page, 'Test with the service');
  await region.getByLabel('API token').fill(KEY);
  await region.getByRole('button', { name: 'Test', exact: true }).click();
  await region.getByText(/"severities" says nothing of its word/).waitFor();
  await lookAt(page, 'builder-failed');
  await fill(page, 'Mapping', 'Severities', 'MAJOR = high\nMINOR = low');
  await region.getByRole('button', { name: 'Test', exact: true }).click();
  // a page of four, and three of the second, which says that it is the last
  const count = region.getByText('7 findings as they will be imported');
  await count.waitFor();
  await region.getByText('Signed in as Dock of Ada').waitFor();
  await region.getByText('SQL is built from input 11').waitFor();
  const shown = await page.locator('body').innerText();
  for (const form of [KEY, Buffer.from(KEY).toString('base64'), 'ada.lovelace']) expect(shown).not.toContain(form);
  await count.scrollIntoViewIfNeeded();
  await lookAt(page, 'builder-tested');
  expect(asked.every((line) => line.startsWith(`Bearer ${KEY} `))).toBe(true);
  const kept = await page.evaluate(() => JSON.stringify({ ...window.localStorage, ...window.sessionStorage }));
  expect(kept).not.toContain('dock/key');
});

test('tickets and messages come from the form; a test sends them once it may, and records them', async () => {
  const { page } = admin;
  const region = part(page, 'What it sends');
  await region.getByText('Messages to a channel', { exact: true }).click();
  const path = region.getByLabel('Path', { exact: true });
  await path.fill('/messages');
  await region.getByText('Tickets', { exact: true }).click();
  await path.nth(1).fill('/tickets');
  await region.getByLabel('Tickets in the answer').fill('tickets');
  await path.nth(2).fill('/tickets');
  await region.getByLabel('Ticket in the answer').fill('ticket');
  for (const [field, value] of Object.entries({ url: 'link', status: 'state', isDone: "state = 'solved'" }))
    await region.getByLabel(field, { exact: true }).fill(value);
  await region.getByText('Follow how it stands', { exact: true }).click();
  await region.getByLabel('Ticket in the answer').nth(1).fill('ticket');
  await region.getByText('Close it once the finding is fixed', { exact: true }).click();
  await region.scrollIntoViewIfNeeded();
  await rest(page);
  await lookAt(page, 'builder-sends');
  const live = part(page, 'Test with the service');
  const run = live.getByRole('button', { name: 'Test', exact: true });
  await run.click();
  await live.getByText(/What it sends was not tried/).waitFor();
  expect([desk.tickets.length, desk.messages.length]).toEqual([1, 0]);
  await live.getByText('Also send one message to the channel and make one ticket', { exact: true }).click();
  await run.click();
  const made = live.getByText('Ticket, made once by two attempts');
  await made.waitFor();
  await live.getByText('How the ticket stands').waitFor();
  await made.scrollIntoViewIfNeeded();
  await lookAt(page, 'builder-sent');
  expect(desk.tickets.slice(1)).toMatchObject([{ title: 'Test by Breakwater', state: 'open' }]);
  expect(desk.messages).toHaveLength(1);
});

test('a report that is chosen is read in the test, and recorded', async () => {
  const { page } = admin;
  const region = part(page, 'Reports');
  await region.getByText('It reads reports that people upload', { exact: true }).click();
  const values = {
    'Known by': '"generator":"dock"',
    Records: 'results',
    'What makes a result the same': 'rule and file',
  };
  const map = { ruleId: 'rule', title: 'message', severity: 'level', Severities: 'MAJOR = high' };
  for (const [label, value] of Object.entries({ ...values, ...map }))
    await region.getByLabel(label, { exact: true }).fill(value);
  await rest(page);
  await region.scrollIntoViewIfNeeded();
  await lookAt(page, 'builder-report');
  const live = part(page, 'Test with the service');
  const results = [issue(2), { ...issue(4), level: 'PURPLE' }];
  const report = Buffer.from(JSON.stringify({ generator: 'dock', results }));
  const file = { name: 'dock.json', mimeType: 'application/json', buffer: report };
  await live.getByLabel('Report', { exact: true }).setInputFiles(file);
  await live.getByText('dock.json').waitFor();
  await live.getByRole('button', { name: 'Test', exact: true }).click();
  const unreadable = live.getByText(/^record 2: severity/);
  await unreadable.waitFor();
  await live.getByText('1 finding as it will be imported').waitFor();
  await unreadable.scrollIntoViewIfNeeded();
  await lookAt(page, 'builder-report-read');
});

test('it is published with what was recorded, added, and brings its findings', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Who may add it').waitFor();
  await lookAt(page, 'builder-publish');
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await part(page, 'Dock Scan').getByText('Published by your organisation').waitFor();
  await part(page, 'Dock Scan').getByText('Sends messages · Makes tickets').waitFor();
  await page.getByRole('button', { name: 'Add: Dock Scan' }).click();
  await page.getByRole('list', { name: 'What it sends there' }).waitFor();
  await lookAt(page, 'builder-add');
  await page.getByRole('button', { name: 'Approve and add' }).click();
  await part(page, 'Dock Scan').getByText('In your catalogue').waitFor();
  const api = await signIn(installation.server, username, PASSWORD);
  const { body } = await api.call('GET', '/user_connectors/list');
  const id: string = body.data[0].attributes.added.connector;
  const kept = await installation.database.query('select fixtures::text as text from published_connector_versions');
  expect(String(kept[0]?.['text'])).toContain('dock-11');
  expect(String(kept[0]?.['text'])).not.toContain('dock/key');
  // the server again, with the service at another address, as an operator would say it: the first one would take its jobs
  await rest(page);
  await admin.context.close();
  expect(installation.server.errors()).toEqual([]);
  await installation.server.stop();
  const name = id.toUpperCase().replace('-', '_');
  const server = await startServer({
    environment: { DATABASE_URL: installation.database.url, [`${name}_BASE_URL`]: `${vendor}/v1` },
  });
  try {
    const user = await signIn(server, username, PASSWORD);
    await user.call('PUT', `/connectors/${id}`, { values: { token: KEY } });
    const titles = async (): Promise<string[]> => {
      const { body: found } = await user.call('GET', '/findings');
      return found.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title);
    };
    await expect.poll(titles, { timeout: 120_000 }).toContain('SQL is built from input 11');
  } finally {
    await server.stop();
    await removeFolder(server.dataDirectory);
  }
});
