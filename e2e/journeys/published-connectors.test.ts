import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pierWatchFiles } from '@breakwater/core/testing/connectors/pier-watch-files.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setUp, signIn } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, type Visitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { stopAfterFailure } from '../harness/journey.ts';
import { listRows, signInOnScreen } from '../harness/screens.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { rest } from '../harness/visit.ts';

/** Issue 18: an organisation publishes a connector without code; another approves its hosts, adds it and reads its first finding. */

let installation: Installation;
let browser: Browser;
let publisher: Visitor;
let user: Visitor;
let service: Server;
let second: RunningServer | undefined;
const usernames: Record<'publisher' | 'user', string> = { publisher: '', user: '' };

/** Pier Watch with one project and one alert. */
const ANSWERS: readonly [path: RegExp, body: unknown][] = [
  [/\/orgs\/quay\/token/, { owner: { name: 'Ada' }, state: 'active', rights: ['alerts:read'] }],
  [/\/orgs\/quay\/projects/, { projects: [{ key: 'p1', name: 'Quay', links: { html: 'https://pier.example/quay' } }] }],
  [
    /\/projects\/p1\/alerts/,
    {
      page: { next: null },
      alerts: [
        {
          kind: 'dependency',
          manifest: 'package-lock.json',
          row: 4,
          advisory: {
            id: 'PW-1',
            summary: 'Prototype pollution',
            level: 'severe',
            aliases: ['CVE-2021-23337'],
            cvss: 9.1,
          },
          package: { name: 'lodash', version: '4.17.20', patched: '4.17.21', ecosystem: 'npm' },
        },
      ],
    },
  ],
];

const answer = (url: string) => JSON.stringify(ANSWERS.find(([path]) => path.test(url))?.[1] ?? {});

/** An admin of another organisation. */
const addOrganization = async (): Promise<string> => {
  const { database } = installation;
  const { username, id } = await database.addUser('admin');
  await database.query(
    `with made as (insert into clients (organization_name) values ('Lighthouse Ltd') returning id)
     update users set client_id = made.id from made where users.id = $1`,
    [id],
  );
  return username;
};

beforeAll(async () => {
  service = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer(request.url ?? ''));
  });
  service.listen(0, '127.0.0.1');
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  await setUp(installation.server);
  usernames.publisher = (await installation.database.addUser('admin')).username;
  usernames.user = await addOrganization();
  const { url } = installation.server;
  [publisher, user] = await Promise.all([newVisitor(browser, url), newVisitor(browser, url)]);
  for (const visitor of [publisher, user]) visitor.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(publisher.page, usernames.publisher, PASSWORD);
  await signInOnScreen(user.page, usernames.user, PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await second?.stop();
  await installation.stop();
  service.closeAllConnections();
  service.close();
});
afterEach(() => {
  for (const visitor of [publisher, user]) visitor.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
stopAfterFailure();

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const choose = async (page: Page, file: string, content: unknown): Promise<void> => {
  const buffer = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  await page.getByLabel(file, { exact: true }).setInputFiles({ name: file, mimeType: 'application/json', buffer });
};

test('a connector is published from its two files, and refused with what is wrong', async () => {
  const { page } = publisher;
  const { document, fixtures } = await pierWatchFiles();
  await page.goto('/connector/providers');
  await page.getByRole('link', { name: 'Published connectors' }).click();
  await page.getByText('No connector is published yet').waitFor();
  await lookAt(page, 'published-empty');
  await page.getByRole('button', { name: 'Publish a connector' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(true);
  await choose(page, 'connector.json', '{ "id":');
  await dialog.getByText('connector.json is no JSON.').waitFor();
  await choose(page, 'connector.json', { ...document, permissions: { egress: ['*.pier.example'] } });
  await choose(page, 'conformance.json', fixtures);
  await dialog.getByLabel('Who may add it').selectOption('public');
  publisher.expectTrouble(/answer: 422 POST .*\/publish/);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByText('is no literal host').waitFor();
  await lookAt(page, 'published-refused');
  await choose(page, 'connector.json', document);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await card(page, 'Pier Watch').getByText('Published by your organisation').waitFor();
});

test('another organisation approves its hosts and finds it in its catalogue', async () => {
  const { page } = user;
  await page.goto('/connector/published');
  await card(page, 'Pier Watch').getByText('Not verified').waitFor();
  await lookAt(page, 'published-offered');
  await page.getByRole('button', { name: 'Add: Pier Watch' }).click();
  await page.getByRole('dialog').getByText('api.pier.example').waitFor();
  await lookAt(page, 'published-approve');
  await page.getByRole('button', { name: 'Approve and add' }).click();
  await card(page, 'Pier Watch').getByText('In your catalogue').waitFor();
  await page.getByRole('link', { name: 'Open its card' }).click();
  await page.getByLabel('Organisation', { exact: true }).waitFor();
  await rest(page);
  await lookAt(page, 'published-card');
});

test('whoever runs the installation vouches for the name of its publisher', async () => {
  const { username } = await installation.database.addUser('superadmin');
  const { page, assertCalm, expectTrouble } = await newVisitor(browser, installation.server.url);
  expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(page, username, PASSWORD);
  await page.goto('/connector/published');
  await page.getByRole('button', { name: 'Verify name: Harbour Works' }).click();
  await page.getByRole('button', { name: 'Withdraw verification: Harbour Works' }).waitFor();
  await page.getByRole('button', { name: 'Revoke: Pier Watch' }).click();
  await page.getByRole('dialog').getByLabel('Reason').waitFor();
  await lookAt(page, 'published-revoke');
  await page.getByRole('button', { name: 'Cancel' }).click();
  assertCalm();
  await page.close();
  await user.page.goto('/connector/published');
  await card(user.page, 'Pier Watch').getByText('Verified', { exact: true }).waitFor();
});

test('connected, it brings its first finding', async () => {
  const api = await signIn(installation.server, usernames.user, PASSWORD);
  const { body } = await api.call('GET', '/user_connectors/list?page=0');
  const id: string = body.data[0].attributes.added.connector;
  const { port } = service.address() as AddressInfo;
  // the service has another address here, as an operator would say it
  const name = id.toUpperCase().replace('-', '_');
  const environment = {
    DATABASE_URL: installation.database.url,
    [`${name}_BASE_URL`]: `http://127.0.0.1:${port}`,
  };
  // their pages would ask for live events of a server that has ended
  await Promise.all([publisher.page.close(), user.page.close()]);
  await installation.server.stop();
  second = await startServer({ environment });
  const visitor = await newVisitor(browser, second.url);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  const { page } = visitor;
  await signInOnScreen(page, usernames.user, PASSWORD);
  await page.goto(`/connector/providers?open=${encodeURIComponent(`sca/${id}`)}`);
  await page.getByLabel('Token', { exact: true }).fill('token-of-tests-1234');
  await page.getByLabel('Organisation', { exact: true }).fill('quay');
  await page.getByRole('button', { name: 'Check and save' }).click();
  await page.getByText('Ada').first().waitFor();
  const found = async () => {
    await page.goto('/findings');
    await rest(page);
    return listRows(page).count();
  };
  await expect.poll(found, { timeout: 120_000, interval: 1_000 }).toBe(1);
  await listRows(page).getByText('lodash').first().waitFor();
  visitor.assertCalm();
});
