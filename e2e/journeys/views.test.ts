import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Frame, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, type ApiClient, setUp } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, type Visitor } from '../harness/browser.ts';
import { HOSTILE_VIEWS } from '../harness/hostile-views.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { signInOnScreen } from '../harness/screens.ts';
import { writeViewPlugin } from '../harness/view-plugin.ts';
import { rest } from '../harness/visit.ts';

/** Views of connectors, in a real browser: what they may, and that what they may not does not happen. */

const GUIDE = path.join(import.meta.dirname, '../../docs/connectors/views.md');
const SAMPLE = 'shows-projects';

/** Whoever calls here has escaped. */
const startOutside = async () => {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/plain' }).end('outside');
  });
  server.listen(0, '127.0.0.1');
  const udp = createSocket('udp4').on('message', () => hits.push('STUN'));
  udp.bind(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(udp, 'listening')]);
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return {
    hits,
    outside: `http://127.0.0.1:${address.port}`,
    stun: `127.0.0.1:${udp.address().port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
      udp.close();
    },
  };
};

let outside: Awaited<ReturnType<typeof startOutside>>;
let folder: string;
let installation: Installation;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  outside = await startOutside();
  folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-views-'));
  const [, sample = ''] =
    /^```html view\/index\.html\n<!doctype html>(.*?)^```/ms.exec(await readFile(GUIDE, 'utf8')) ?? [];
  const hostile = HOSTILE_VIEWS.map(({ id, html }) => ({ id, html: html(outside) }));
  await writeViewPlugin(folder, [{ id: SAMPLE, title: 'Shows Projects', html: sample }, ...hostile]);
  [installation, browser] = await Promise.all([
    startInstallation(undefined, { BREAKWATER_PLUGINS_DIR: folder }),
    launchBrowser(),
  ]);
  api = await setUp(installation.server);
  for (const { id } of [{ id: SAMPLE }, ...HOSTILE_VIEWS]) {
    const { body } = await api.call('PUT', `/connectors/${id}`, {
      values: { team: 'Fleet', token: 'canary-secret-4711' },
    });
    expect(body.data?.attributes, JSON.stringify(body)).toMatchObject({
      state: 'connected',
      view: { title: 'Projects of the team' },
    });
  }
  visitor = await newVisitor(browser, installation.server.url);
  ({ page } = visitor);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  outside?.close();
  await rm(folder, { recursive: true });
});

/** Category and title in lower case without spaces. */
const addressOf = (id: string): string => `/connector/providers?open=sast/${id === SAMPLE ? 'showsprojects' : id}`;
const section = () => page.getByRole('region', { name: 'Projects of the team' });

/** Opens the panel of a connector, and what it shows. */
const show = async (id: string): Promise<void> => {
  await page.goto(addressOf(id));
  await section().getByRole('button', { name: 'Show' }).click();
};

const viewFrame = (id: string): Frame | undefined => page.frames().find((frame) => frame.url().endsWith(`/${id}/view`));

/** What a view says became of its attempts. */
const outcomeOf = async (id: string): Promise<string> => {
  const read = async () => (await viewFrame(id)?.evaluate(() => document.body?.dataset['done'])) ?? '';
  await expect.poll(read, { timeout: 60_000 }).not.toBe('');
  return read();
};

/** The page around the view goes on: it answers at once, and stands where it stood. */
const assertPageIsSound = async (id: string): Promise<void> => {
  expect(new URL(page.url()).pathname).toBe('/connector/providers');
  expect(page.context().pages()).toHaveLength(1);
  const cookies = await page.context().cookies();
  expect(cookies.map(({ value }) => value)).not.toContain('forged');
  expect((await api.get(`/connectors/${id}`)).body.data.attributes.state).toBe('connected');
  expect(outside.hits).toEqual([]);
};

test('the sample of the guide shows what its own route answers, in the look of the page', async () => {
  await page.goto(addressOf(SAMPLE));
  await section().getByText('Shown by the plugin harbour-views of Harbour, not by Breakwater.').waitFor();
  await rest(page);
  await lookAt(page, 'view-closed');
  await section().getByRole('button', { name: 'Show' }).click();
  const view = page.frameLocator('iframe.view-frame');
  await view.getByText('3 projects of Fleet').waitFor();
  // what a service says is text
  await view.getByText('<img src=x onerror=alert(1)>').waitFor();
  expect(await viewFrame(SAMPLE)?.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => viewFrame(SAMPLE)?.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  const height = await page.locator('iframe.view-frame').evaluate((frame) => frame.clientHeight);
  expect(height).toBe(
    await viewFrame(SAMPLE)?.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height)),
  );
  await lookAt(page, 'view-shown');
  await section().getByRole('button', { name: 'Hide' }).click();
  await page.locator('iframe.view-frame').waitFor({ state: 'detached' });
  visitor.assertCalm();
});

test('a view that is opened as a page has no rights either', async () => {
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const alone = await context.newPage();
  const answer = await alone.goto(`${installation.server.url}/api/v1/connectors/reads-storage/view`);
  const headers = answer?.headers() ?? {};
  expect(headers['content-security-policy']).toContain("sandbox allow-scripts; default-src 'none'");
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' });
  await expect
    .poll(() => alone.evaluate(() => document.body.dataset['done']), { timeout: 30_000 })
    .toContain('cookie refused');
  expect(await alone.evaluate(() => self.origin)).toBe('null');
  await context.close();
});

test('who may not see the connection gets no view', async () => {
  const anonymous = await fetch(`${installation.server.url}/api/v1/connectors/${SAMPLE}/view`);
  expect(anonymous.status).toBe(401);
  const page404 = await api.get('/connectors/opengrep/view');
  expect(page404.status).toBe(404);
});

/** What remains to each of them; `GOT` in it would be a success. */
const EXPECTED: Readonly<Record<string, readonly RegExp[]>> = {
  'fetches-outside': [/^fetch refused TypeError; xhr refused/, /worker refused TypeError$/],
  'calls-our-api': [/^session refused TypeError; secrets refused TypeError; change refused TypeError$/],
  'leads-the-page-away': [/^top refused SecurityError/, /history refused SecurityError$/],
  'opens-windows': [/^open nothing/],
  'reads-the-page': [/^document refused SecurityError/, /fetch refused SecurityError/],
  'reads-storage': [
    /^cookie refused SecurityError; cookie write refused SecurityError; local refused SecurityError/,
    /origin nothing$/,
  ],
  'forges-messages': [
    /^1 refused invalid; 2 refused invalid; 3 refused invalid; 4 refused invalid; 5 refused invalid; 6 refused invalid; 7 refused invalid; 8 refused invalid; 9 refused invalid; 10 refused invalid; 11 refused invalid; 12 refused invalid; 13 refused call_failed; 14 refused invalid; 15 refused call_failed; big refused Late; object refused Late; facts/,
    /facts config,connectorId,locale,state,theme,title \{"team":"Fleet"\}$/,
  ],
  'calls-too-often': [/^at once 4, refused 8$/],
  grows: [/^resized$/],
  'asks-for-a-password': [/^sent the form$/],
  'talks-webrtc': [
    /^direct refused TypeError; own frame refused SecurityError; srcdoc refused TypeError; attribute refused TypeError; markup refused TypeError; code refused EvalError$/,
  ],
};

describe('hostile views', () => {
  beforeAll(() => visitor.expectTrouble(/./));

  test.each(Object.entries(EXPECTED))('%s: nothing succeeds', async (id, patterns) => {
    const answered: string[] = [];
    const listen = (response: Response) => {
      if (response.frame() !== page.mainFrame()) answered.push(new URL(response.url()).pathname);
    };
    page.on('response', listen);
    await show(id);
    const said = await outcomeOf(id);
    expect(said).not.toContain('GOT');
    for (const pattern of patterns) expect(said).toMatch(pattern);
    await new Promise((resolve) => setTimeout(resolve, 500));
    page.off('response', listen);
    // the file of the view, and nothing that it asked for itself
    expect(answered).toEqual([`/api/v1/connectors/${id}/view`]);
    await assertPageIsSound(id);
  });

  test('one that wants all of the page gets at most 600 pixels of height', async () => {
    await show('grows');
    await outcomeOf('grows');
    const box = await page.locator('iframe.view-frame').boundingBox();
    expect(box?.height).toBe(600);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });

  test.each([
    ['floods-the-channel', 'The view was closed: it sent too many messages.'],
    ['floods-the-window', 'The view was closed: it sent too many messages.'],
    // Chromium hands on what a script posted once it rests, so that the page hears none of it
    ['floods-from-the-start', 'The view was closed: it did not answer for 10 seconds.'],
    ['hangs-from-the-start', 'The view was closed: it did not answer for 10 seconds.'],
    ['leaves-with-data', 'The view was closed: it tried to lead to another page.'],
    ['refreshes-away', 'The view was closed: it tried to lead to another page.'],
    ['loads-our-page', 'The view was closed: it tried to lead to another page.'],
  ])('%s: it is closed, and its attempt comes to nothing', async (id, said) => {
    await show(id);
    await section().getByText(said).waitFor();
    expect(await page.locator('iframe.view-frame').count()).toBe(0);
    await assertPageIsSound(id);
  });

  test('one that never ends does not hold up the page, and is closed', async () => {
    await show('never-ends');
    await viewFrame('never-ends')?.waitForLoadState();
    await section().getByText('The view was closed: it did not answer for 10 seconds.').waitFor({ timeout: 60_000 });
    await assertPageIsSound('never-ends');
  });

  test('the server has nothing to complain of', () => {
    expect(installation.server.errors()).toEqual([]);
    expect(HOSTILE_VIEWS.length).toBe(19);
  });
});
