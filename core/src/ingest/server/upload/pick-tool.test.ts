import type { ReportParser } from '@breakwater/sdk';
import { expect, test } from 'vitest';
import type { ReportTool, ReportTools } from '../../../platform/model/connector-catalogue.ts';
import { pickTool } from './pick-tool.ts';

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
  recogniseTool: (head) => tools.find((tool) => tool.parser.recognise(head) > 0.5) ?? null,
});
const several = { head: ZIP, sizeBytes: 9, fileName: 'reports.zip', isArchive: true };

test('an archive of several files goes to the tool that writes such, named or not', () => {
  const tools = toolsOf(archives, lines);
  expect(pickTool(tools, 'auto', several).id).toBe('archives');
  expect(pickTool(tools, 'archives', several).id).toBe('archives');
});

test.each([['auto'], ['lines']])('an archive that no tool writes is refused with what to do (%s)', (name) => {
  expect(() => pickTool(toolsOf(lines), name, several)).toThrow(/Upload one report at a time/);
});

test('a report of another tool is refused, and its tool named', () => {
  const report = { head: Buffer.from('{'), sizeBytes: 9, fileName: undefined };
  expect(() => pickTool(toolsOf(archives, lines), 'archives', report)).toThrow(/report of lines, not of archives/);
});
