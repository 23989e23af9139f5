import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type ApiClient, addRepository, setUp } from '../harness/api.ts';
import { launchBrowser, newVisitor, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import {
  asLines,
  belowCode,
  installedTools,
  listAll,
  makeCode,
  readCsv,
  rowsOnScreen,
  type ScannedTool,
  type ToolResult,
} from '../harness/real-scans.ts';
import { signInOnScreen } from '../harness/screens.ts';

/*
 * Real tools on real code: what the tool's own output says, read here without the importers, is what API, CSV and screen say, line by line.
 * Then the code is edited and scanned again: what is new, gone and the same is compared with the difference of the two outputs.
 */
const TOOLS = await installedTools();
const COLUMNS = ['title', 'severity', 'tool', 'rule_id', 'file_path', 'start_line'] as const;
const LABELS: Readonly<Record<string, string>> = {
  Critical: 'critical',
  High: 'high',
  Medium: 'medium',
  Low: 'low',
  Informational: 'informational',
};

let installation: Installation;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;
let folder: string;
let code: string;
const applications = new Map<ScannedTool, string>();
const reports = new Map<ScannedTool, Buffer<ArrayBuffer>>();

const scan = async (tool: ScannedTool) => {
  const report = await tool.scan(code);
  const application = applications.get(tool) ?? (await addRepository(api, tool.tool));
  applications.set(tool, application);
  const { body } = await api.upload(application, `${tool.tool}.report`, report);
  expect(body.data, JSON.stringify(body)).toMatchObject({ status: 'done', unreadable: [] });
  reports.set(tool, report);
  return { results: tool.read(report), counts: body.data.counts };
};

const listed = async (tool: ScannedTool) => listAll(api, `filters[repository]=${applications.get(tool)}`);

interface Shown {
  title: string;
  severity: string;
  tool: string;
  rule_id: string;
  file_path: string;
  start_line: string | number | null;
}
const resultOf = (of: Shown): ToolResult => ({
  path: belowCode(of.file_path),
  line: of.start_line === null || of.start_line === '' ? null : Number(of.start_line),
  rule: of.rule_id,
  severity: LABELS[of.severity] ?? of.severity,
  message: of.title,
});
const shownOf = ([title = '', severity = '', tool = '', rule_id = '', file_path = '', start_line = '']: string[]) =>
  ({ title, severity, tool, rule_id, file_path, start_line }) satisfies Shown;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-scans-'));
  code = path.join(folder, 'code');
  await mkdir(code);
  await makeCode(code);
  installation = await startInstallation();
  browser = await launchBrowser();
  api = await setUp(installation.server);
  const columns = ['priority', ...COLUMNS];
  expect((await api.call('POST', '/findings-columns/save', { columns })).status).toBe(200);
  visitor = await newVisitor(browser, installation.server.url, { viewport: { width: 2400, height: 1200 } });
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(visitor.page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
  await rm(folder, { recursive: true, force: true });
});

test.each(TOOLS)('what $label found is what the API, CSV and the screen say', { timeout: 300_000 }, async (tool) => {
  const { results, counts } = await scan(tool);
  expect(results.length).toBeGreaterThan(2);
  expect(counts).toMatchObject({ total: results.length, new: results.length, closed: 0, unreadable: 0 });
  const expected = asLines(results);
  const rows = await listed(tool);
  expect(asLines(rows.map(({ attributes }) => resultOf(attributes as unknown as Shown)))).toEqual(expected);
  expect(new Set(rows.map(({ attributes }) => attributes.tool))).toEqual(new Set([tool.tool]));
  const query = `filters[repository]=${applications.get(tool)}`;
  const csv = await api.call('POST', `/download_csv_findings?${query}&fields=${COLUMNS.join(',')}`);
  const [, ...cells] = readCsv(csv.body);
  expect(asLines(cells.map((row) => resultOf(shownOf(row))))).toEqual(expected);
  const { page } = visitor;
  await page.goto(`/findings?repository=${applications.get(tool)}`);
  await page.locator('tr.ft-row').first().waitFor();
  const onScreen = [...(await rowsOnScreen(page, COLUMNS)).values()].map(shownOf);
  expect(asLines(onScreen.map(resultOf))).toEqual(expected);
  expect(new Set(onScreen.map((row) => row.tool))).toEqual(new Set([tool.label]));
  visitor.assertCalm();
});

/** What a line of the report is about, whatever its number: its text, without the spaces around it. */
const contentOf = (files: ReadonlyMap<string, string[]>, { path: file, line, rule, message }: ToolResult): string => {
  const text = line === null ? '' : (files.get(file)?.[line - 1] ?? '').trim();
  return [file, rule, message, text].join(' | ');
};

/** In the first list and not in the second, each as often as it is missing. */
const without = (left: readonly string[], right: readonly string[]): string[] => {
  const rest = [...right];
  return left.filter((line) => {
    const at = rest.indexOf(line);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
};

const filesOf = async (results: readonly ToolResult[]): Promise<Map<string, string[]>> => {
  const names = [...new Set(results.map((result) => result.path))];
  const texts = names.map(async (name) => (await readFile(path.join(code, name), 'latin1')).split('\n'));
  return new Map((await Promise.all(texts)).map((lines, place) => [names[place] ?? '', lines]));
};

test.each(TOOLS)(
  'after an edit $label’s new, closed and same results are those of the difference',
  {
    timeout: 300_000,
  },
  async (tool) => {
    const before = tool.read(reports.get(tool) ?? Buffer.from(''));
    const contents = await filesOf(before);
    const ids = new Map((await listed(tool)).map(({ _id, attributes }) => [_id, attributes]));
    await tool.edit(code);
    const { results, counts } = await scan(tool);
    const after = await filesOf(results);
    const was = before.map((result) => contentOf(contents, result));
    const is = results.map((result) => contentOf(after, result));
    const [added, gone] = [without(is, was), without(was, is)];
    expect([added.length > 0, gone.length > 0]).toEqual([true, true]);
    expect(counts).toMatchObject({ new: added.length, closed: gone.length, unchanged: results.length - added.length });
    const rows = await listed(tool);
    const open = rows.filter(({ attributes }) => attributes.status !== 'mitigated');
    expect(asLines(open.map(({ attributes }) => resultOf(attributes as unknown as Shown)))).toEqual(asLines(results));
    const kept = open.filter(({ _id }) => ids.has(_id));
    expect(kept).toHaveLength(results.length - added.length);
    // the same id is the same rule in the same file
    for (const { _id, attributes } of kept)
      expect([ids.get(_id)?.rule_id, ids.get(_id)?.file_path]).toEqual([attributes.rule_id, attributes.file_path]);
  },
);
