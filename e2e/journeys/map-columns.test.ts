import { gzipSync } from 'node:zlib';
import { BlobReader, BlobWriter, ZipWriter } from '@zip.js/zip.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { ADMIN, type ApiClient, addRepository, setUp } from '../harness/api.ts';
import { DESKTOP, launchBrowser, lookAt, newVisitor, PHONE, takeShot, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually } from '../harness/journey.ts';
import { generatedReport } from '../harness/reports.ts';
import { signInOnScreen } from '../harness/screens.ts';

/** A list of a scanner that no importer knows, as a spreadsheet saves it. */
const TABLE = [
  'sep=;',
  'Issue name;How bad;Source file;Line No;Advice',
  'Cross-site scripting in the search;Sev 1;src/search.js;14;Escape what people type.',
  'Weak hash of passwords;Sev 2;src/users.js;88;Use argon2.',
  'Verbose error page;Sev 4;src/errors.js;3;Log it instead.',
].join('\r\n');

let installation: Installation;
let browser: Browser;
let api: ApiClient;
let repository: string;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  installation = await startInstallation();
  browser = await launchBrowser();
  api = await setUp(installation.server);
  repository = await addRepository(api, 'harbour');
  await api.upload(await addRepository(api, 'other'), 'known.json', generatedReport(3));
  visitor = await newVisitor(browser, installation.server.url);
  ({ page } = visitor);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  visitor.expectTrouble(/answer: 422 POST .*\/upload_scan/);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});

const zipOf = async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> => {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  await writer.add(name, new BlobReader(new Blob([bytes])));
  return Buffer.from(await (await writer.close()).arrayBuffer());
};

const mapping = () => page.getByRole('dialog', { name: 'Map columns of acme.csv' });
const uploadDialog = () => page.getByRole('dialog').first();

const choose = async (): Promise<void> => {
  await page.goto('/findings');
  await page.getByRole('button', { name: 'Upload reports' }).click();
  const file = { name: 'acme.csv', mimeType: 'text/csv', buffer: Buffer.from(TABLE) };
  await uploadDialog().getByLabel('Reports').setInputFiles(file);
};

const openMapping = async (): Promise<void> => {
  await choose();
  await uploadDialog().getByLabel('Application').fill('harbour');
  await uploadDialog().getByRole('button', { name: 'Upload 1 report' }).click();
  // it can be said before as well
  await uploadDialog().getByText('Not imported', { exact: true }).waitFor();
  await uploadDialog().getByRole('button', { name: 'Map columns…' }).click();
  await mapping().getByText('Which column says what').waitFor();
};

test('the upload offers templates', async () => {
  await choose();
  await takeShot(page, 'upload-templates-1440');
  await page.setViewportSize(PHONE);
  await takeShot(page, 'upload-templates-390');
  await page.setViewportSize(DESKTOP);
  const link = uploadDialog().getByRole('link', { name: 'CSV template' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toBe('breakwater-template.csv');
  await uploadDialog().getByRole('button', { name: 'Cancel' }).click();
});

test('tool and results of each file are shown before anything is sent, and what is unknown', async () => {
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await choose();
  const files = [
    { name: 'harbour-opengrep.json', buffer: Buffer.from(generatedReport(163)) },
    { name: 'harbour-opengrep.json.gz', buffer: gzipSync(generatedReport(7)) },
    { name: 'harbour-opengrep.zip', buffer: await zipOf('opengrep.json', generatedReport(11)) },
    { name: 'notes.json', buffer: Buffer.from('{"hello": "world"}') },
    { name: 'bomb.json.gz', buffer: gzipSync(Buffer.alloc(64 * 1024 * 1024, '[')) },
    { name: 'broken.json', buffer: Buffer.from(generatedReport(2).subarray(0, 300)) },
  ];
  await uploadDialog()
    .getByLabel('Reports')
    .setInputFiles(files.map((file) => ({ ...file, mimeType: 'application/json' })));
  const row = (name: string) =>
    uploadDialog()
      .getByRole('listitem')
      .filter({ has: page.getByTitle(name, { exact: true }) });
  await row('acme.csv').getByText('A table of a tool that is not known here.').waitFor();
  await row('harbour-opengrep.json').getByText('163 results').waitFor();
  await row('harbour-opengrep.json').getByText('OpenGrep').first().waitFor();
  await row('harbour-opengrep.json.gz').getByText('7 results').waitFor();
  await row('harbour-opengrep.zip').getByText('11 results').waitFor();
  await row('notes.json').getByText('Unknown format. Choose the tool that wrote it').waitFor();
  await row('bomb.json.gz').locator('.upload-preview').waitFor();
  await row('broken.json').locator('.upload-preview').waitFor();
  await lookAt(page, 'upload-preview');
  // the columns of a table can be said before it is sent
  await row('acme.csv').getByRole('button', { name: 'Map columns…' }).click();
  await mapping().getByText('Which column says what').waitFor();
  await mapping().getByRole('button', { name: 'Cancel' }).click();
  await mapping().waitFor({ state: 'detached' });
  expect(sent.filter((url) => !url.includes('preview'))).toEqual([]);
  await uploadDialog().getByRole('button', { name: 'Cancel' }).click();
});

test('a table that no tool wrote is mapped by keyboard, looked at, kept and imported', async () => {
  await openMapping();
  await eventually(() => mapping().getByLabel('Title (required)').inputValue()).toBe('0');
  const severity = mapping().getByLabel('Severity (required)');
  await severity.focus();
  await page.keyboard.type('How bad');
  for (const [word, choice] of [
    ['Sev 1', 'Critical'],
    ['Sev 2', 'High'],
  ]) {
    const select = mapping().getByLabel(`Severity of ${word}`);
    await select.waitFor();
    await select.focus();
    await page.keyboard.type(choice ?? '');
  }
  await mapping().getByText('2 of the first 3 rows can be imported.').waitFor();
  await mapping().getByText('must be one of critical, high').waitFor();
  expect(await mapping().getByRole('button', { name: 'Import' }).isDisabled()).toBe(true);
  await mapping().getByLabel('Severity of Sev 4').selectOption('low');
  await mapping().getByText('3 of the first 3 rows can be imported.').waitFor();
  await mapping().getByLabel('Scanner').fill('Acme scanner');
  await mapping().getByRole('button', { name: 'Save mapping' }).click();
  await mapping().getByText('Saved as “Acme scanner”.').waitFor();
  for (const [mode, size] of [
    ['light', DESKTOP],
    ['dark', DESKTOP],
    ['light', PHONE],
    ['dark', PHONE],
  ] as const) {
    await page.emulateMedia({ colorScheme: mode });
    await page.setViewportSize(size);
    await takeShot(page, `map-columns-${mode}-${size.width}`);
    expect(await accessibilityIssues(page), `${mode} ${size.width}`).toEqual([]);
    const wider = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect(wider).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
  await mapping().getByRole('button', { name: 'Import' }).click();
  await uploadDialog().getByText('3 new, 0 same, 0 closed').waitFor({ timeout: 120_000 });
  const { body } = await api.get(`/findings?pagination=false&filters[repository][0]=${repository}`);
  const titles = body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
    ...[attributes.severity, attributes.title, attributes.file_path, attributes.start_line],
  ]);
  expect(titles).toEqual(
    expect.arrayContaining([
      ['critical', 'Cross-site scripting in the search', 'src/search.js', 14],
      ['high', 'Weak hash of passwords', 'src/users.js', 88],
      ['low', 'Verbose error page', 'src/errors.js', 3],
    ]),
  );
});

test('the mapping that was kept is offered for the next table of that scanner, until somebody removes it', async () => {
  await openMapping();
  await mapping().getByLabel('Saved mapping').selectOption({ label: 'Acme scanner' });
  await mapping().getByText('3 of the first 3 rows can be imported.').waitFor();
  await eventually(() => mapping().getByLabel('Scanner').inputValue()).toBe('Acme scanner');
  await mapping().getByRole('button', { name: 'Import' }).click();
  await uploadDialog().getByText('0 new, 3 same, 0 closed').waitFor({ timeout: 120_000 });
  await uploadDialog().getByRole('button', { name: 'Close', exact: true }).last().click();
  await openMapping();
  await mapping().getByLabel('Saved mapping').selectOption({ label: 'Acme scanner' });
  await mapping().getByRole('button', { name: 'Remove' }).click();
  await mapping().getByLabel('Saved mapping').waitFor({ state: 'detached' });
  visitor.assertCalm();
});
