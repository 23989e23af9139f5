import { type NormalizedFinding, ReportError, type ReportParser, type ReportRecord } from '@breakwater/sdk';
import type { ReportTool, ReportTools } from '../platform/model/connector-catalogue.ts';

/** The importer whose reports do not say what they are about unless a line does; those of the others are about the whole project. */
const SILENT = 'silent';

/** What an importer does that has lost its way; none comes to an end. */
const FAULTS: Record<string, () => Promise<void>> = {
  LOOP: async () => {
    while (Math.random() < 1);
  },
  WAIT: () => new Promise((resolve) => setTimeout(resolve, 3_600_000)),
  'HEAP EATER': async () => {
    const eaten: number[][] = [];
    while (Math.random() < 1) eaten.push(Array.from({ length: 1000 }, Math.random));
  },
  'BUFFER EATER': async () => {
    const eaten: Buffer[] = [];
    while (eaten.push(Buffer.alloc(4_000_000, 1)) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  },
};

/**
 * Parser of a format for tests: one record in JSON a line. `?` is a record nobody can read, `BROKEN` ends the report, `BUG` throws,
 * `ENDLESS` yields for ever, and a name of FAULTS does that.
 */
const parserOf = (tool: string): ReportParser => ({
  tool,
  formats: ['lines'],
  reads: {
    part: { project: 'always', folder: 'a line' },
    files: 'lines',
    failure: ['a line'],
    identity: 'rule and code',
  },
  recognise: () => 0,
  async *parse(report) {
    const decoder = new TextDecoder();
    let text = '';
    for await (const piece of report) text += decoder.decode(piece, { stream: true });
    if (tool !== SILENT) yield { kind: 'coverage', part: { project: 'test' } };
    const lines = text.split('\n').filter((line) => line !== '');
    for (const [index, line] of lines.entries()) {
      if (line === 'BROKEN') throw new ReportError('report_malformed', 'The report is cut off.');
      if (line === 'BUG') throw new TypeError('Cannot read properties of undefined');
      await FAULTS[line]?.();
      while (line === 'ENDLESS') yield { kind: 'unreadable', where: 'somewhere', why: 'again' };
      if (line === '?') yield { kind: 'unreadable', where: `line ${index + 1}`, why: 'not understood' };
      else yield JSON.parse(line) as ReportRecord;
    }
  },
});

const toolOf = (id: string, tool = id, family: ReportTool['family'] = null): ReportTool => ({
  id,
  tool,
  title: id,
  family,
  connectorId: tool === id ? null : id,
  formats: ['lines'],
  parser: parserOf(tool),
});

/** Entries of the catalogue for which the silent importer reads. */
const ENTRIES = [
  toolOf('silent-code', SILENT, 'SAST'),
  toolOf('silent-more-code', SILENT, 'SAST'),
  toolOf('silent-cloud', SILENT, 'Cloud'),
];
const TOOLS = [...['scanner', 'other', 'sarif', SILENT].map((name) => toolOf(name)), ...ENTRIES];

/** Importers of the test format under several names. Also the module that a worker thread opens in tests. */
export const openReportTools = async (): Promise<ReportTools> => ({
  tools: () => TOOLS,
  resolveTool: (name) => TOOLS.find(({ id }) => id === name) ?? null,
  recogniseTool: async () => null,
});

export const report = (...records: (Partial<ReportRecord> | string)[]): string =>
  `${records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n')}\n`;

/** A result in code. */
export const code = (
  rule: string,
  path: string,
  line: number,
  snippet: string,
  more: Partial<NormalizedFinding> = {},
): NormalizedFinding => ({
  kind: 'finding',
  ruleId: rule,
  title: `Rule ${rule}`,
  type: 'SAST',
  severity: 'high',
  cwe: [89],
  locations: [{ path, startLine: line, endLine: line, snippet }],
  ...more,
});

/** A vulnerable package. */
export const dependency = (
  cve: string,
  name: string,
  version: string,
  more: Partial<NormalizedFinding> = {},
): NormalizedFinding => ({
  kind: 'finding',
  ruleId: cve,
  title: `${cve} in ${name}`,
  type: 'SCA',
  severity: 'high',
  cve,
  component: { name, version, ecosystem: 'npm' },
  locations: [{ path: 'package-lock.json' }],
  ...more,
});

/** A secret in a file. */
export const secret = (
  path: string,
  line: number,
  hash?: string,
  more: Partial<NormalizedFinding> = {},
): NormalizedFinding => ({
  kind: 'finding',
  ruleId: 'api-key',
  title: 'API key',
  type: 'Secrets',
  severity: 'critical',
  locations: [{ path, startLine: line, snippet: 'key = ****' }],
  ...(hash === undefined ? {} : { secretHash: hash }),
  ...more,
});
