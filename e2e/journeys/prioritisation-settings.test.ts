import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { ADMIN, type ApiClient, addRepository, setUp } from '../harness/api.ts';
import { launchBrowser, newVisitor, takeShot, type Visitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually } from '../harness/journey.ts';
import { demoReport } from '../harness/reports.ts';
import { signInOnScreen } from '../harness/screens.ts';

const PAGE = '/settings/prioritisation';

let installation: Installation;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;
let page: Page;

const visit = async (name: string, password: string): Promise<Visitor> => {
  const person = await newVisitor(browser, installation.server.url);
  person.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(person.page, name, password);
  return person;
};

beforeAll(async () => {
  installation = await startInstallation();
  browser = await launchBrowser();
  api = await setUp(installation.server);
  const repository = await addRepository(api, 'harbour');
  await api.upload(repository, 'grype.json', await demoReport('grype.json'));
  visitor = await visit(ADMIN.username, ADMIN.password);
  ({ page } = visitor);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});

const OPEN = ['false_positive', 'is_duplicate', 'is_subfinding', 'accepted_risk'].map(
  (flag) => `filters[${flag}]=hide`,
);

/** Priorities of what is open, by id. */
const priorities = async (): Promise<Map<string, number>> => {
  const { body } = await api.get(`/findings?pagination=false&${OPEN.join('&')}`);
  return new Map(
    body.data.map(({ _id, attributes }: { _id: string; attributes: { priority: number } }) => [
      _id,
      attributes.priority,
    ]),
  );
};

test('an admin weighs EPSS higher, sees what changes before it is saved, and the list follows', async () => {
  const before = await priorities();
  await page.goto(PAGE);
  await page.getByText('Use weights of our own').click();
  await page.getByLabel('EPSS', { exact: true }).fill('101');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'EPSS: A whole number from 0 to 100.' }).click();
  await page.getByLabel('EPSS', { exact: true }).fill('90');
  const said = page.getByText(/open findings? change/);
  await said.waitFor();
  const changed = Number(/^(\d+) of/.exec((await said.textContent()) ?? '')?.[1]);
  expect(await accessibilityIssues(page)).toEqual([]);
  await takeShot(page, 'prioritisation-settings');

  // a changed form is not lost by a wrong click
  await page.getByRole('link', { name: 'Repositories' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await eventually(() => page.getByLabel('EPSS', { exact: true }).inputValue()).toBe('90');

  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Saved\./).waitFor();
  // it goes on while the page is left, and is there again
  await page.goto('/Repositories');
  await page.goto(PAGE);
  await expect
    .poll(async () => (await api.get('/client/prioritisation')).body.data.attributes.recomputation, {
      timeout: 120_000,
    })
    .toMatchObject({ is_running: false, percentage: 100 });
  const after = await priorities();
  expect([...after].filter(([id, priority]) => priority !== before.get(id)).length).toBe(changed);
  await eventually(() => page.getByLabel('EPSS', { exact: true }).inputValue()).toBe('90');
  visitor.assertCalm();
});

test('why this score shows the new weight, and leads to the settings', async () => {
  const [first] = [...(await priorities())].sort(([, a], [, b]) => b - a);
  await page.goto(`/findings/finding-details/${first?.[0]}`);
  const parts = page.locator('.parts');
  const { body } = await api.get('/client/prioritisation');
  await parts.getByText(`of ${body.data.attributes.weights.epss}`).first().waitFor();
  await page.getByRole('link', { name: 'Change the weights' }).click();
  await page.waitForURL(`**${PAGE}`);
  await page.getByRole('heading', { name: 'Prioritisation' }).waitFor();
  visitor.assertCalm();
});

test('a cyberoper reads the settings and sees why they cannot be changed; a developer is refused', async () => {
  const { username } = await installation.database.addUser('cyberoper');
  const reader = await visit(username, PASSWORD);
  await reader.page.goto(PAGE);
  await reader.page.getByText('Only an admin can change it.').waitFor();
  expect(await reader.page.getByLabel('EPSS', { exact: true }).isDisabled()).toBe(true);
  expect(await reader.page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  reader.assertCalm();
  await reader.context.close();

  const developer = await visit((await installation.database.addUser('developer')).username, PASSWORD);
  await developer.page.goto(PAGE);
  await developer.page.getByText('Error Status: 403').waitFor();
  expect(await developer.page.getByRole('link', { name: 'Prioritisation' }).count()).toBe(0);
  developer.assertCalm();
  await developer.context.close();
});
