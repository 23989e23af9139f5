import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, setUp } from '../../harness/api.ts';
import { launchBrowser, newVisitor, type Visitor } from '../../harness/browser.ts';
import { type Installation, startInstallation } from '../../harness/installation.ts';
import { eventually } from '../../harness/journey.ts';
import { demoReport, generatedReport } from '../../harness/reports.ts';
import { dropTexts, listCount, signInOnScreen } from '../../harness/screens.ts';

/**
 * Acceptance point 17: several reports in one drop, the tool guessed and correctable, progress, a summary for each file; a broken file
 * never blocks the others.
 */

const APPLICATION = 'Juice Shop';

let installation: Installation;
let browser: Browser;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  await setUp(installation.server);
  visitor = await newVisitor(browser, installation.server.url);
  visitor.expectTrouble(/answer: 401 GET .*\/api\/v1\/session/);
  ({ page } = visitor);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});
afterEach(() => {
  visitor.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});

const dialog = () => page.getByRole('dialog');
const file = (name: string): Locator => dialog().getByRole('listitem').filter({ hasText: name });
const toolOf = (name: string): Locator => dialog().getByLabel(`Tool of ${name}`);
const textOf = (bytes: Uint8Array<ArrayBuffer>): string => new TextDecoder().decode(bytes);
const generated = (count: number) => ({ name: 'results.json', text: textOf(generatedReport(count)) });

/** Drops the files onto the list, names the application and waits for the end. */
const upload = async (files: { name: string; text: string }[], prepare?: () => Promise<unknown>) => {
  await page.goto('/findings');
  await dropTexts(page, page.locator('.dropzone').first(), files);
  await dialog().getByLabel('Application').fill(APPLICATION);
  await prepare?.();
  await dialog()
    .getByRole('button', { name: `Upload ${files.length} report` })
    .click();
  await dialog()
    .getByText(new RegExp(`reports? of ${APPLICATION} imported`))
    .waitFor({ timeout: 120_000 });
};

test('point 17: five files at once, two of them broken: the others are imported, and each says what became of it', async () => {
  const half = generated(20).text.replace('"path":"src/module-3/file-3.ts"', '"path":7');
  // Two files are refused by the server as they come.
  visitor.expectTrouble(/answer: 4\d\d POST .*\/upload_scan\//);
  await upload(
    [
      { name: 'cut-off.json', text: '{"version": "1.6.0", "results": [' },
      { name: 'notes.json', text: '{"hello": "world"}' },
      { name: 'grype.json', text: textOf(await demoReport('grype.json')) },
      { name: 'wrong-tool.json', text: textOf(await demoReport('trivy-secrets.json')) },
      { name: 'half.json', text: half },
    ],
    async () => {
      await toolOf('wrong-tool.json').selectOption({ label: 'Gitleaks' });
    },
  );
  await dialog().getByText(`2 of 5 reports of ${APPLICATION} imported`).waitFor();
  await file('grype.json').getByText('Grype', { exact: true }).waitFor();
  await file('grype.json')
    .getByText(/^\d+ new, 0 same, 0 closed/)
    .waitFor();
  await file('half.json').getByText('19 new, 0 same, 0 closed, 1 unreadable').waitFor();
  await file('half.json').getByRole('button', { name: 'Why' }).click();
  await file('half.json').getByText('results[3]').waitFor();
  for (const name of ['cut-off.json', 'notes.json', 'wrong-tool.json']) {
    await file(name).getByText('Not imported').waitFor();
    expect((await file(name).getByRole('alert').innerText()).length).toBeGreaterThan(10);
  }
  // what needs somebody stands on top
  await eventually(() => dialog().getByRole('listitem').first().innerText()).toContain('Not imported');
});

test('point 17: the tool is corrected, and the file is imported after all', async () => {
  await toolOf('wrong-tool.json').selectOption({ label: 'Recognise the tool' });
  await file('wrong-tool.json').getByRole('button', { name: 'Try again' }).click();
  await file('wrong-tool.json').getByText('Trivy', { exact: true }).first().waitFor();
  await file('wrong-tool.json')
    .getByText(/^\d+ new, 0 same, 0 closed/)
    .waitFor({ timeout: 120_000 });
  await dialog().getByText(`3 of 5 reports of ${APPLICATION} imported`).waitFor();
  await dialog().getByRole('button', { name: 'Show findings' }).click();
  await page.waitForURL('**/findings?repository=**');
  await eventually(() => listCount(page).innerText()).toMatch(/^[1-9]/);
});

test('point 17: newer versions of a report count what is new, the same, closed and reopened', async () => {
  await upload([generated(40)]);
  await file('results.json')
    .getByText(/^2[01] new, (19|20) same, \d+ closed$/)
    .waitFor();
  await upload([generated(50)]);
  await file('results.json').getByText('10 new, 40 same, 0 closed').waitFor();
  await upload([generated(30)]);
  await file('results.json').getByText('0 new, 30 same, 20 closed').waitFor();
  await upload([generated(50)]);
  await file('results.json').getByText('0 new, 30 same, 20 reopened, 0 closed').waitFor();
  await upload([generated(50)]);
  await file('results.json').getByText('0 new, 50 same, 0 closed').waitFor();
});
