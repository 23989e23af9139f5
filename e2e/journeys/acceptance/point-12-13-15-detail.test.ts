import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, type ApiClient, addRepository, setUp } from '../../harness/api.ts';
import { launchBrowser, newVisitor, type Visitor } from '../../harness/browser.ts';
import { type Installation, startInstallation } from '../../harness/installation.ts';
import { eventually } from '../../harness/journey.ts';
import { demoFiles, demoReport } from '../../harness/reports.ts';
import { listRows, signInOnScreen } from '../../harness/screens.ts';
import type { RunningServer } from '../../harness/server.ts';

/** A report that would like to be more than text. */
const HOSTILE = {
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'Checker',
          rules: [
            {
              id: 'hostile',
              fullDescription: {
                text: '**Bold** [click me](javascript:alert(1)) [docs](https://docs.example/rule) <img src=x onerror=alert(1)>',
              },
            },
          ],
        },
      },
      results: [
        {
          ruleId: 'hostile',
          level: 'error',
          message: { text: 'Hostile finding' },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'src/hostile.js' },
                region: { startLine: 41, endLine: 42, snippet: { text: 'first(line);\nsecond("<script>");' } },
              },
            },
          ],
        },
      ],
    },
  ],
};

let installation: Installation;
let server: RunningServer;
let browser: Browser;
let visitor: Visitor;
let page: Page;
let api: ApiClient;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  ({ server } = installation);
  api = await setUp(server);
  const repository = await addRepository(api, 'Juice Shop');
  for (const { name } of await demoFiles()) await api.upload(repository, name, await demoReport(name));
  const bytes = new TextEncoder().encode(JSON.stringify(HOSTILE));
  expect((await api.upload(repository, 'hostile.sarif', bytes)).status).toBeLessThan(300);
  visitor = await newVisitor(browser, server.url);
  ({ page } = visitor);
  // Who is signed in is asked once, before anybody is.
  visitor.expectTrouble(/answer: 401 GET .*\/api\/v1\/session/);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});
afterEach(() => {
  visitor.assertCalm();
  expect(server.errors()).toEqual([]);
});

const panel = () => page.getByRole('complementary', { name: 'Finding' });

test('point 12: the priority opens "why this score", and its parts add up to it', async () => {
  await page.goto('/findings?status=open');
  for (const place of [0, 5, 15]) {
    const button = listRows(page)
      .nth(place)
      .getByRole('button', { name: /why this score/ });
    const priority = Number(await button.innerText());
    // read before the click: it may move the rows that are drawn
    const id = await listRows(page).nth(place).locator('[data-finding]').getAttribute('data-finding');
    await button.click();
    const popover = page.locator('.score-pop');
    await popover.getByText(`The parts add up to ${priority}.`).waitFor();
    const { body } = await api.get(`/findings/${id}`);
    const parts: { points: number }[] = body.data.attributes.priority_parts;
    // thousandths, without what binary fractions leave over
    const sum = parts.reduce((total, part) => total + part.points, 0);
    expect(Math.round(sum * 1000) / 1000).toBe(priority);
    await eventually(() => popover.getByText('Between equals').isVisible()).toBe(true);
    await eventually(() => popover.locator('.parts li').count()).toBeGreaterThanOrEqual(
      parts.filter((part) => part.points > 0).length,
    );
    await page.keyboard.press('Escape');
    await popover.waitFor({ state: 'detached' });
  }
});

test('point 13: KEV and EPSS stand on row and detail with the date of their data, and sort the list', async () => {
  await page.goto('/findings?status=open&search=CVE-2023-44487');
  const row = listRows(page).first();
  await eventually(() => row.locator('.sig.kev').getAttribute('title')).toMatch(/since .*2023/);
  const date = /EPSS of \d{1,2} \w{3}/;
  await eventually(() => row.locator('.sig', { hasText: 'EPSS' }).getAttribute('title')).toMatch(date);
  await row.getByRole('link').first().click();
  await panel().getByText('Known exploited').first().waitFor();
  await panel()
    .getByText(/Since .*2023/)
    .waitFor();
  await panel()
    .getByText(/Data of \d{1,2} \w{3}/)
    .waitFor();
  await page.goto('/findings?status=open');
  await page.getByRole('columnheader', { name: 'Signals' }).getByRole('button').first().click();
  await page.waitForURL((url) => url.searchParams.get('sort_field') === 'estimated_epss');
  const { body } = await api.get('/findings?filters[status]=enriched&sort_field=estimated_epss&pagination[pageSize]=5');
  const scores = body.data.map((one: { attributes: { estimated_epss: number } }) => one.attributes.estimated_epss);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  await eventually(() => listRows(page).first().innerText()).toContain('EPSS');
});

test('point 15: code with its lines, one marked; text of reports is text, and no link runs anything', async () => {
  await page.goto('/findings?status=open&search=Hostile');
  await listRows(page).first().getByRole('link').first().click();
  const code = panel().locator('pre, .code').first();
  await code.getByText('second("<script>");').waitFor();
  await eventually(() => panel().innerText()).toMatch(/41[\s\S]*42/);
  await panel().getByText('Marked: ').first().waitFor({ state: 'attached' });
  await panel().getByText('Bold', { exact: true }).first().waitFor();
  const links = await panel()
    .getByRole('link')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
  expect(links).toContain('https://docs.example/rule');
  expect(links.filter((href) => /^\s*(javascript|data|vbscript|file):/i.test(href))).toEqual([]);
  await eventually(() => panel().getByText('click me').count()).toBeGreaterThan(0);
  expect(await panel().getByRole('link', { name: 'click me' }).count()).toBe(0);
  expect(await panel().locator('img, script').count()).toBe(0);
});
