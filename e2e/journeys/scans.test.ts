import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { ADMIN, type ApiClient, addRepository, setUp } from '../harness/api.ts';
import { DESKTOP, launchBrowser, newVisitor, PHONE, takeShot, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually } from '../harness/journey.ts';
import { generatedReport } from '../harness/reports.ts';
import { dropTexts, signInOnScreen } from '../harness/screens.ts';
import type { RunningServer } from '../harness/server.ts';

const FIRST = generatedReport(40);
/** Ten results more and none of the first ones gone. */
const SECOND = generatedReport(50);

let installation: Installation;
let server: RunningServer;
let browser: Browser;
let api: ApiClient;
let repository: string;
let visitor: Visitor;
let page: Page;
let beforeSecond: unknown[] = [];

beforeAll(async () => {
  installation = await startInstallation();
  ({ server } = installation);
  browser = await launchBrowser();
  api = await setUp(server);
  repository = await addRepository(api, 'harbour');
  visitor = await newVisitor(browser, server.url);
  ({ page } = visitor);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});

/** Everything of the list that an import may change. */
const findings = async (): Promise<unknown[]> => {
  const { body } = await api.get('/findings?pagination=false');
  return body.data
    .map(({ _id, attributes }: { _id: string; attributes: Record<string, unknown> }) => {
      const { title, severity, status, verdict, file_path, start_line } = attributes;
      return { _id, title, severity, status, verdict, file_path, start_line };
    })
    .sort((a: { _id: string }, b: { _id: string }) => a._id.localeCompare(b._id));
};
const scanRows = () => page.getByRole('list', { name: 'Imports', exact: true }).locator('> li');

test('without an import the page says what to do', async () => {
  await page.goto('/Repositories');
  await page.getByRole('button', { name: 'Imports of harbour' }).click();
  await page.waitForURL(`**/Repositories/${repository}/scans`);
  await page.getByText('No import yet').waitFor();
});

test('two versions of a report show live with their counts', async () => {
  expect((await api.upload(repository, 'first.json', FIRST)).body.data).toMatchObject({ status: 'done' });
  await expect.poll(() => scanRows().count()).toBe(1);
  beforeSecond = await findings();
  expect((await api.upload(repository, 'second.json', SECOND)).body.data).toMatchObject({ status: 'done' });
  await expect.poll(() => scanRows().first().innerText(), { timeout: 120_000 }).toMatch(/50\s*results/);
  const newest = await scanRows().first().innerText();
  expect(newest).toMatch(/second\.json/);
  expect(newest).toMatch(/uploaded by ada/);
  expect(newest).toMatch(/10\s*new/);
  expect(newest).toMatch(/40\s*unchanged/);
});

test('the report comes back byte by byte', async () => {
  const waiting = page.waitForEvent('download');
  await page.getByLabel('Download the report second.json').click();
  const download = await waiting;
  expect(download.suggestedFilename()).toBe('second.json');
  expect(Buffer.compare(await readFile(await download.path()), Buffer.from(SECOND))).toBe(0);
});

test('the page is usable for everybody, in light and dark, wide and narrow', async () => {
  const issues: string[] = [];
  for (const [size, viewport] of [
    ['1440', DESKTOP],
    ['390', PHONE],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page: other, context } = await newVisitor(browser, server.url, { viewport, colorScheme });
      await signInOnScreen(other, ADMIN.username, ADMIN.password);
      await other.goto(`/Repositories/${repository}/scans`);
      await other.getByText('second.json').waitFor();
      await takeShot(other, `scans-${colorScheme}-${size}`);
      issues.push(...(await accessibilityIssues(other)));
      const overflow = await other.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect([size, overflow]).toEqual([size, 0]);
      await context.close();
    }
  expect(issues).toEqual([]);
});

test('an older import of the scope cannot be undone, and the page says why', async () => {
  const undo = page.getByRole('button', { name: 'Undo the import of first.json' });
  expect(await undo.isDisabled()).toBe(true);
  await eventually(() => undo.getAttribute('title')).toContain('Undo that first');
});

test('the second import is undone by keyboard, and the list is as it was', async () => {
  expect(await findings()).toHaveLength(50);
  await page.getByRole('button', { name: 'Undo the import of second.json' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('The findings that it brought go').waitFor();
  await page.getByRole('button', { name: 'Undo import' }).press('Enter');
  await expect.poll(() => page.getByText('Undone', { exact: true }).count(), { timeout: 120_000 }).toBe(1);
  await expect.poll(async () => (await findings()).length, { timeout: 120_000 }).toBe(40);
  expect(await findings()).toEqual(beforeSecond);
});

test('a closing that is held back is said, and confirmed by one click', async () => {
  await page.goto(`/Repositories/${repository}/scans`);
  const few = await api.upload(repository, 'few.json', generatedReport(10));
  expect(few.body.data).toMatchObject({ status: 'done', is_held_back: true, counts: { closed: 0, held: 30 } });
  await page.getByText('30 findings of earlier imports are missing from this report').waitFor();
  await takeShot(page, 'scans-held-back');
  expect(await accessibilityIssues(page)).toEqual([]);
  expect((await findings()).length).toBe(40);
  await page.getByRole('button', { name: 'Close what is missing' }).click();
  await expect.poll(() => page.getByText('Closing confirmed').count(), { timeout: 120_000 }).toBe(1);
  await expect.poll(() => page.getByRole('button', { name: 'Close what is missing' }).count()).toBe(0);
});

test('a scan that failed says why, and an upload names its part', async () => {
  const run = { tool: { driver: { name: 'Example' } }, results: [], invocations: [{ executionSuccessful: false }] };
  const failed = new TextEncoder().encode(JSON.stringify({ version: '2.1.0', runs: [run] }));
  expect((await api.upload(repository, 'failed.sarif', failed)).body.data).toMatchObject({ status: 'incomplete' });
  await page.getByText('The run of Example was not successful.').waitFor();
  await takeShot(page, 'scans-incomplete');
  await page.getByRole('button', { name: 'Upload reports' }).click();
  const dialog = page.getByRole('dialog');
  await dropTexts(page, dialog.getByText('Drop files here'), [
    {
      name: `a-very-long-name-of-a-report-${'of-a-pipeline-'.repeat(10)}.sarif`,
      text: new TextDecoder().decode(failed),
    },
  ]);
  await dialog.getByLabel(/^Part of/).fill('front end');
  await takeShot(page, 'upload-with-part');
  expect(await accessibilityIssues(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Upload 1 report' }).click();
  await dialog.getByText('The run of Example was not successful.').waitFor({ timeout: 120_000 });
  await takeShot(page, 'upload-incomplete');
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByTitle('Part front end').waitFor();
});

test('no other trouble in the browser or on the server', () => {
  visitor.assertCalm();
  expect(server.errors()).toEqual([]);
});
