import { fullPath, isAllowed } from '@breakwater/core/platform/api/contract.ts';
import { ROLES, type Role } from '@breakwater/core/platform/model/permissions.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeclaredRoute, loadRoutes } from '../../tools/docs/generate.ts';
import { ADMIN, type ApiClient, addRepository, apiClient, setUp, signIn } from '../harness/api.ts';
import { launchBrowser, newVisitor } from '../harness/browser.ts';
import { type OutsideDatabase, PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually } from '../harness/journey.ts';
import { demoReport } from '../harness/reports.ts';
import { listCount, signInOnScreen } from '../harness/screens.ts';
import { ROOT, type RunningServer } from '../harness/server.ts';

const NOBODY = '01990000-0000-7000-8000-000000000000';
const PAGES = [
  '/',
  '/findings',
  '/findings/all',
  `/findings/finding-details/${NOBODY}`,
  '/sbom-findings',
  `/sbom-findings/${NOBODY}`,
];

let installation: Installation;
let database: OutsideDatabase;
let server: RunningServer;
let browser: Browser;
let admin: ApiClient;
let routes: DeclaredRoute[];

beforeAll(async () => {
  installation = await startInstallation();
  ({ server, database } = installation);
  browser = await launchBrowser();
  admin = await setUp(server);
  const repository = await addRepository(admin, 'Juice Shop');
  await admin.upload(repository, 'grype.json', await demoReport('grype.json'));
  routes = (await loadRoutes(ROOT)).filter(({ route }) => route.responseKind !== 'events');
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});

const pathOf = ({ route }: DeclaredRoute): string => fullPath(route).replaceAll(/\{\w+\}/g, NOBODY);

const bodyOf = ({ route }: DeclaredRoute): unknown =>
  route.method === 'GET' || route.method === 'DELETE' ? undefined : {};

describe('the server', () => {
  test('answers 401 to anybody on every route that is not public', async () => {
    const anonymous = apiClient(server);
    for (const declared of routes.filter(({ route }) => !('public' in route.access))) {
      const { status, body } = await anonymous.call(declared.route.method, pathOf(declared), bodyOf(declared));
      expect({ route: declared.name, status, code: body.code }).toEqual({
        route: declared.name,
        status: 401,
        code: 'not_authenticated',
      });
    }
  });

  test.each(ROLES)('%s may call exactly the routes that say so', async (role: Role) => {
    const { username } = await database.addUser(role);
    let api = await signIn(server, username, PASSWORD);
    for (const declared of routes.filter(
      ({ name }) => name !== 'logout' && name !== 'createSetup' && name !== 'login',
    )) {
      const call = () => api.call(declared.route.method, pathOf(declared), bodyOf(declared));
      let { status, body } = await call();
      if (status === 401) {
        // a call before may have ended the session
        api = await signIn(server, username, PASSWORD);
        ({ status, body } = await call());
      }
      // a sign-in at an identity provider that was never begun is refused to everybody, with a code of its own
      const isForbidden = status === 403 && body.code !== 'single_sign_on_refused';
      expect([declared.name, isForbidden]).toEqual([declared.name, !isAllowed(declared.route.access, role)]);
      expect([declared.name, status < 500]).toEqual([declared.name, true]);
    }
  });

  test('carries 404 in the page of an unknown address, and of the inventory detail that never was', async () => {
    for (const address of ['/no/such/page', '/sbom-findings/detail/x', '/assets/no-such-file.js']) {
      expect([address, (await fetch(`${server.url}${address}`)).status]).toEqual([address, 404]);
    }
    for (const address of ['/login', '/findings', '/sbom-findings']) {
      expect([address, (await fetch(`${server.url}${address}`)).status]).toEqual([address, 200]);
    }
  });

  test('answers a cookie from another site with 403, and a forged token with 401', async () => {
    const { headers } = await fetch(`${server.url}/api/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: ADMIN.username, password: ADMIN.password }),
    });
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const answer = await fetch(`${server.url}/api/v1/client`, {
      method: 'PUT',
      headers: { cookie, origin: 'https://elsewhere.example', 'content-type': 'application/json' },
      body: JSON.stringify({ autonomous_scan: true }),
    });
    expect(answer.status).toBe(403);
    expect((await apiClient(server, 'forged-token').get('/session')).status).toBe(401);
  });
});

describe('the browser', () => {
  test('leads a person who is not signed in from every page to the sign-in page, and back after it', async () => {
    const visitor = await newVisitor(browser, server.url);
    visitor.expectTrouble(/answer: 401 GET .*\/session/);
    for (const address of PAGES) {
      await visitor.page.goto(address);
      await visitor.page.waitForURL('**/login**');
    }
    await visitor.page.goto('/findings?filters[severity]=critical');
    await visitor.page.waitForURL('**/login**');
    await visitor.page.getByLabel('Email or username').fill(ADMIN.username);
    await visitor.page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await visitor.page.getByRole('button', { name: 'Sign in' }).click();
    await visitor.page.waitForURL('**/findings?**critical**');
    for (const address of ['/login', '/register', '/forgot-password', '/setup']) {
      await visitor.page.goto(address);
      await visitor.page.waitForURL((url) => url.pathname === '/');
    }
    visitor.assertCalm();
    await visitor.context.close();
  });

  test('says so when the password is wrong, and keeps what was typed', async () => {
    const visitor = await newVisitor(browser, server.url);
    await visitor.page.goto('/login');
    await visitor.page.getByLabel('Email or username').fill(ADMIN.username);
    await visitor.page.getByLabel('Password', { exact: true }).fill('wrong-Password-1');
    await visitor.page.getByRole('button', { name: 'Sign in' }).click();
    await visitor.page.getByRole('alert').first().waitFor();
    await eventually(() => visitor.page.getByLabel('Email or username').inputValue()).toBe(ADMIN.username);
    await visitor.context.close();
  });

  test('shows the error page for an unknown address, with a way home', async () => {
    const visitor = await newVisitor(browser, server.url);
    visitor.expectTrouble(/answer: (401|404)/);
    await visitor.page.goto('/no/such/page');
    await visitor.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await visitor.page.getByRole('button', { name: 'Go back to login page' }).click();
    await visitor.page.waitForURL('**/login**');
    await signInOnScreen(visitor.page, ADMIN.username, ADMIN.password);
    for (const address of ['/no/such/page', '/sbom-findings/detail/x']) {
      await visitor.page.goto(address);
      await visitor.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
    await visitor.page.getByRole('button', { name: 'Go back to home page' }).click();
    await visitor.page.waitForURL((url) => url.pathname === '/');
    // a finding that is missing is told in its panel: the list stays
    await visitor.page.goto(`/findings/finding-details/${NOBODY}`);
    await visitor.page.getByText('Finding data not found').first().waitFor();
    await visitor.page.getByRole('button', { name: 'Back to the list' }).click();
    await visitor.page.waitForURL((url) => url.pathname === '/findings');
    visitor.assertCalm();
    await visitor.context.close();
  });

  test('logs that the application could not be mounted, and throws the error on', async () => {
    const visitor = await newVisitor(browser, server.url);
    const [logged, thrown]: [string[], string[]] = [[], []];
    visitor.page.on('console', (message) => logged.push(message.text()));
    visitor.page.on('pageerror', (error) => thrown.push(error.message));
    await visitor.page.route(`${server.url}/login`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replace('id="app"', 'id="elsewhere"') });
    });
    await visitor.page.goto('/login');
    const missing = 'The page has no element with the id app.';
    await expect.poll(() => thrown, { timeout: 120_000 }).toEqual([missing]);
    // text: specification §8 "Mount failure"
    expect(logged.some((line) => line.startsWith('Error while mounting app'))).toBe(true);
    await visitor.context.close();
  });

  test('shows a developer only what is theirs, and offers no verdict', async () => {
    const { id, username } = await database.addUser('developer');
    const visitor = await newVisitor(browser, server.url);
    visitor.expectTrouble(/answer: 401 GET .*\/session/);
    const { page } = visitor;
    await signInOnScreen(page, username, PASSWORD);
    await page.goto('/findings');
    await expect
      .poll(() => page.locator('main').innerText(), { timeout: 120_000 })
      .toMatch(/no findings|0 findings|nothing/i);
    await database.query(
      'update findings set issue_owner = $1 where id in (select id from findings order by priority desc limit 3)',
      [id],
    );
    await page.goto('/findings/all');
    await expect.poll(() => listCount(page).innerText(), { timeout: 120_000 }).toContain('3 findings');
    await page.locator('tr.ft-row').first().getByRole('link').first().click();
    const panel = page.getByRole('complementary', { name: 'Finding' });
    await panel.getByRole('heading', { name: 'Why this score' }).waitFor();
    const verdict = panel.getByRole('button', { name: 'False positive' });
    expect((await verdict.count()) === 0 || (await verdict.isDisabled())).toBe(true);
    visitor.assertCalm();
    await visitor.context.close();
  });

  test('ends every page of a person whose session ended elsewhere', async () => {
    const { username } = await database.addUser('cyberoper');
    const visitor = await newVisitor(browser, server.url);
    await signInOnScreen(visitor.page, username, PASSWORD);
    await database.query('delete from sessions where user_id = (select id from users where username = $1)', [username]);
    // the page may be on its way to the sign-in by itself, which breaks this navigation off
    await visitor.page.goto('/findings').catch(() => undefined);
    await visitor.page.waitForURL('**/login**');
    await visitor.context.close();
  });
});
