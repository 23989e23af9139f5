import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type ApiClient, addRepository, setUp } from '../harness/api.ts';
import { launchBrowser, newVisitor, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { hostileCodeReport, hostileInventory, hostileSarif, PAYLOADS } from '../harness/reports.ts';
import { listCount, listRows, signInOnScreen } from '../harness/screens.ts';
import type { RunningServer } from '../harness/server.ts';

let installation: Installation;
let server: RunningServer;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;
let page: Page;
const executions: string[] = [];

beforeAll(async () => {
  installation = await startInstallation();
  ({ server } = installation);
  browser = await launchBrowser();
  api = await setUp(server);
  const repository = await addRepository(api, `<img src=x onerror=alert('name')>`);
  for (const [name, report] of [
    ['"><script>alert(1)</script>.json', hostileCodeReport()],
    ['hostile.sarif', hostileSarif()],
    ['hostile.cdx.json', hostileInventory()],
  ] as const) {
    const { body } = await api.upload(repository, name, report);
    expect(body.data, JSON.stringify(body)).toMatchObject({ status: 'done' });
  }
  visitor = await newVisitor(browser, server.url);
  ({ page } = visitor);
  // Each payload calls alert; this also hears it in frames and after navigation.
  await visitor.context.exposeBinding('reportExecution', (_source, what: string) => executions.push(what));
  await visitor.context.addInitScript(() => {
    const report = (what: string) =>
      (window as unknown as { reportExecution(what: string): void }).reportExecution(what);
    window.alert = () => report(`alert at ${location.href}`);
  });
  page.on('dialog', async (dialog) => {
    executions.push(`dialog ${dialog.message()}`);
    await dialog.dismiss();
  });
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});

/** Addresses on the page that the browser itself reads as something else than the web or mail. */
const badLinks = (): Promise<string[]> =>
  page.$$eval('[href], [src], [action], [formaction], object[data]', (elements) =>
    elements
      .flatMap((element) =>
        ['href', 'src', 'action', 'formaction', 'data'].map((name) => element.getAttribute(name) ?? ''),
      )
      .filter((address) => {
        const url = URL.parse(address, location.href);
        const isPicture = /^data:image\/(gif|png|jpeg|webp)[;,]/.test(address);
        return url === null || !(['http:', 'https:', 'mailto:'].includes(url.protocol) || isPicture);
      }),
  );

const assertHarmless = async (where: string): Promise<void> => {
  expect([where, await badLinks()]).toEqual([where, []]);
  expect([where, executions]).toEqual([where, []]);
  expect([
    where,
    await page
      .locator('main script, main iframe, main object, main embed, main svg[onload], main img[onerror]')
      .count(),
  ]).toEqual([where, 0]);
};

test('the trap itself works: a payload that runs is heard', async () => {
  await page.evaluate(() => window.alert('1'));
  await expect.poll(() => executions.length).toBe(1);
  executions.length = 0;
});

test('a report that holds them imports every result as text', async () => {
  const { body } = await api.get('/findings?pagination_pageSize=1');
  expect(body.meta.pagination.total).toBe(2 * PAYLOADS.length);
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(60);
});

test('the list shows them as text', async () => {
  await page.goto('/findings/all');
  await expect.poll(() => listCount(page).innerText(), { timeout: 120_000 }).toContain(String(2 * PAYLOADS.length));
  await assertHarmless('list');
  await page.locator('.ft-scroll').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect.poll(() => listRows(page).count()).toBeGreaterThan(0);
  await assertHarmless('end of the list');
});

test('each finding shows them as text', async () => {
  const { body } = await api.get('/findings?pagination=false');
  const ids: string[] = body.data.map(({ _id }: { _id: string }) => _id);
  const panel = page.getByRole('complementary', { name: 'Finding' });
  // A visit by address is a start of the application; the same panel is read faster from one to the next.
  await page.goto('/findings/all');
  await listRows(page).first().getByRole('link').first().waitFor();
  for (const [place, id] of ids.entries()) {
    const answered = page.waitForResponse((response) => response.url().endsWith(`/api/v1/findings/${id}`));
    if (place === 0) await listRows(page).first().getByRole('link').first().click();
    else await panel.getByRole('button', { name: 'Next finding' }).click();
    await answered;
    await panel.getByRole('heading', { name: 'Why this score' }).waitFor();
    await panel.getByText(`${place + 1} of ${ids.length}`, { exact: true }).waitFor();
    await assertHarmless(`/findings/all/finding-details/${id}`);
  }
  expect(ids.length).toBe(2 * PAYLOADS.length);
});

test('a finding visited by its address shows them as text', async () => {
  const { body } = await api.get('/findings?pagination_pageSize=10');
  for (const { _id } of body.data) {
    await page.goto(`/findings/all/finding-details/${_id}`);
    await page.getByRole('heading', { name: 'Why this score' }).waitFor();
    await assertHarmless(`/findings/all/finding-details/${_id}`);
  }
});

test('the inventory and its components show them as text', { timeout: 300_000 }, async () => {
  await page.goto('/sbom-findings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.locator('main').innerText(), { timeout: 120_000 }).toContain('alert(1)');
  await assertHarmless('inventory');
  const { body } = await api.get('/sbom-findings?pagination_pageSize=200');
  expect(body.data.length).toBeGreaterThanOrEqual(60);
  for (const { _id } of body.data.slice(0, 20)) {
    await page.goto(`/sbom-findings/${_id}`);
    await expect.poll(() => page.locator('main').innerText(), { timeout: 120_000 }).toContain('alert(1)');
    await assertHarmless(`/sbom-findings/${_id}`);
  }
});

test('a link with a payload in the address runs nothing', async () => {
  for (const payload of PAYLOADS.slice(0, 20)) {
    await page.goto(`/findings?search=${encodeURIComponent(payload)}`);
    await page.getByPlaceholder('Search title, path, CVE').waitFor();
    await assertHarmless(payload);
  }
});

test('no other trouble in the browser or on the server', () => {
  visitor.assertCalm();
  expect(server.errors()).toEqual([]);
});
