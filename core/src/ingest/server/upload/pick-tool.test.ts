import type { ReportParser } from '@breakwater/sdk';
import { expect, test } from 'vitest';
import type { ReportTool, ReportTools } from '../../../platform/model/connector-catalogue.ts';
import { recogniseWith } from '../../model/recognise-report.ts';
import { pickTool as pick, type ReportHead } from './pick-tool.ts';

const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);

const toolOf = (id: string, recognise: ReportParser['recognise']): ReportTool => ({
  id,
  tool: id,
  title: id,
  family: null,
  connectorId: null,
  formats: ['any'],
  // nothing is parsed here
  parser: { tool: id, formats: ['any'], recognise, parse: () => (async function* () {})() },
});
const archives = toolOf('archives', (head) => (head[0] === 0x50 ? 0.9 : 0));
const lines = toolOf('lines', (head) => (head[0] === 0x7b ? 0.9 : 0));

const toolsOf = (...tools: ReportTool[]): ReportTools => ({
  tools: () => tools,
  resolveTool: (name) => tools.find((tool) => tool.id === name) ?? null,
  recogniseTool: async (head) => {
    const scores = await Promise.all(tools.map(({ parser }) => parser.recognise(head)));
    return tools.find((_, index) => (scores[index] ?? 0) > 0.5) ?? null;
  },
});
const pickTool = (tools: ReportTools, name: string, report: ReportHead) =>
  pick(tools, async (request) => recogniseWith(tools, request), name, report);
const several = { head: ZIP, sizeBytes: 9, fileName: 'reports.zip', isArchive: true };

test('an archive of several files goes to the tool that writes such, named or not', async () => {
  const tools = toolsOf(archives, lines);
  expect((await pickTool(tools, 'auto', several)).id).toBe('archives');
  expect((await pickTool(tools, 'archives', several)).id).toBe('archives');
});

test.each([['auto'], ['lines']])('an archive that no tool writes is refused with what to do (%s)', async (name) => {
  await expect(pickTool(toolsOf(lines), name, several)).rejects.toThrow(/Upload one report at a time/);
});

test('a report of another tool is refused, and its tool named', async () => {
  const report = { head: Buffer.from('{'), sizeBytes: 9, fileName: undefined };
  await expect(pickTool(toolsOf(archives, lines), 'archives', report)).rejects.toThrow(
    /report of lines, not of archives/,
  );
});
