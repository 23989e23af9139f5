import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { ADMIN, setUp } from '../harness/api.ts';
import { DESKTOP, launchBrowser, newVisitor, PHONE, takeShot, type Visitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation, UNTOUCHED } from '../harness/installation.ts';
import { stopAfterFailure } from '../harness/journey.ts';
import { signInOnScreen } from '../harness/screens.ts';

/** Issue 17, point 7: a developer asks, an admin votes, a superadmin answers; and the operator's service hears which pages were opened. */

interface Event {
  data: { baseData: { name: string; properties: { from?: string } } };
}

const reported: Event[] = [];
// stands in for Application Insights
const service = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    reported.push(...JSON.parse(Buffer.concat(pieces).toString()));
    response.end('{}');
  });
});

let installation: Installation;
let browser: Browser;
let people: Record<'developer' | 'admin' | 'superadmin', Visitor>;

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const environment = {
    BREAKWATER_INSTRUMENTATION_KEY: '5f9c1a52-8a71-4a9a-9d5e-0d7c4d7c4b11',
    USAGE_BASE_URL: `http://127.0.0.1:${port}`,
  };
  [installation, browser] = await Promise.all([startInstallation(UNTOUCHED, environment), launchBrowser()]);
  const { server, database } = installation;
  await setUp(server);
  const enter = async (username: string, password: string): Promise<Visitor> => {
    const visitor = await newVisitor(browser, server.url);
    visitor.expectTrouble(/answer: 401 GET .*\/session/);
    await signInOnScreen(visitor.page, username, password);
    return visitor;
  };
  people = {
    developer: await enter((await database.addUser('developer')).username, PASSWORD),
    admin: await enter(ADMIN.username, ADMIN.password),
    superadmin: await enter((await database.addUser('superadmin')).username, PASSWORD),
  };
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});
afterEach(() => {
  for (const visitor of Object.values(people)) visitor.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
stopAfterFailure();

const WISH = 'Send the weekly digest on Mondays';

test('a developer finds the board in their own menu, and asks for something', async () => {
  const { page } = people.developer;
  await page.getByRole('button', { name: /, Account of / }).click();
  await page.getByRole('menuitem', { name: 'Feedback' }).click();
  await page.getByText('Nobody asked for anything yet').waitFor();
  await takeShot(page, 'feedback-empty');
  await page.getByRole('button', { name: 'New post' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What should the product do?').fill(WISH);
  await dialog.getByLabel('What for, and how do you manage today?').fill('We plan the week then.\nToday I forward it.');
  expect(await accessibilityIssues(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Post' }).click();
  await page.getByRole('button', { name: `Vote for ${WISH}: 1 vote`, pressed: true }).waitFor();
});

test('an admin votes for it', async () => {
  const { page } = people.admin;
  await page.goto('/feedback');
  await page.getByRole('button', { name: `Vote for ${WISH}: 1 vote` }).click();
  await page.getByRole('button', { name: `Vote for ${WISH}: 2 votes`, pressed: true }).waitFor();
});

test('a superadmin sees whose wish it is and answers; everybody reads the answer', async () => {
  const { page } = people.superadmin;
  await page.goto('/feedback');
  await page.getByRole('button', { name: `Answer ${WISH}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('State').selectOption('planned');
  await dialog.getByLabel('Answer', { exact: true }).fill('With the next release.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('With the next release.').waitFor();
  await takeShot(page, 'feedback-superadmin');
  const reader = people.developer.page;
  await reader.reload();
  await reader.getByText('With the next release.').waitFor();
  await reader.locator('.feedback-post').getByText('Planned', { exact: true }).waitFor();
  for (const viewport of [DESKTOP, PHONE]) {
    await reader.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await reader.emulateMedia({ colorScheme });
      expect(await accessibilityIssues(reader), `${viewport.width} ${colorScheme}`).toEqual([]);
      await takeShot(reader, `feedback-${viewport.width}-${colorScheme}`);
    }
  }
});

test("the operator's service heard of the pages, by their patterns alone", async () => {
  // reports begin once a page rests: opened by a link, loaded by two others, and loaded again by the one who goes on from there
  const opened = () => reported.filter(({ data }) => data.baseData.name === '/feedback').length;
  await expect.poll(opened).toBe(4);
  const { page } = people.developer;
  await page.setViewportSize(DESKTOP);
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Findings/ })
    .click();
  await page.waitForURL((url) => url.pathname === '/findings');
  const origins = () => reported.map(({ data }) => data.baseData.properties.from);
  await expect.poll(origins).toContain('/feedback');
});
