import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHeadReader } from './recognise-report.ts';

/** An importer that never comes to an end on what begins with an exclamation mark; at an address with "slow" it takes long to load. */
const MODULE = `
if (import.meta.url.includes('slow')) await new Promise((resolve) => setTimeout(resolve, 3_000));
const tool = { id: 'lines', parser: { recognise: (head) => { while (head[0] === 0x21); return head[0] === 0x7b ? 0.9 : 0; } } };
export const openReportTools = async () => ({
  tools: () => [tool],
  resolveTool: (name) => (name === 'lines' ? tool : null),
  recogniseTool: (head) => (tool.parser.recognise(head) > 0.5 ? tool : null),
});
`;

let folder: string;
let address: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-recognise-'));
  const file = path.join(folder, 'tools.mjs');
  await writeFile(file, MODULE);
  address = pathToFileURL(file).href;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ask = (text: string, toolId: string | null = null) => ({
  toolId,
  head: Buffer.from(text),
  fileName: undefined,
});

test('what the importers say, from a thread', async () => {
  const { recognise } = createHeadReader(address);
  expect(await recognise(ask('{'))).toEqual({ score: 0, found: 'lines', table: null });
  expect(await recognise(ask('{', 'lines'))).toEqual({ score: 0.9, found: null, table: null });
  expect(await recognise(ask('x', 'lines'))).toEqual({ score: 0, found: null, table: null });
});

test('the time of a report does not count before its thread has loaded the importers', async () => {
  const { recognise } = createHeadReader(`${address}?slow`, 1_000);
  expect(await Promise.all([1, 2, 3].map(() => recognise(ask('{'))))).toEqual(
    Array.from({ length: 3 }, () => ({ score: 0, found: 'lines', table: null })),
  );
});

test('importers that cannot be loaded are no fault of the report', async () => {
  const { recognise } = createHeadReader(`${address}.missing`);
  await expect(recognise(ask('{'))).rejects.toThrow('Cannot find module');
});

test('an importer that does not come to an end is ended, and holds nobody', async () => {
  const { recognise } = createHeadReader(address, 1_000);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 10);
  await expect(recognise(ask('!'))).rejects.toMatchObject({ code: 'report_too_complex' });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  expect(await recognise(ask('{'))).toEqual({ score: 0, found: 'lines', table: null });
});
