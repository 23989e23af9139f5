import { readFile } from 'node:fs/promises';
import type { ReportParser } from '@breakwater/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadParsers } from '../importers.ts';
import { parseText } from './testing/samples.ts';

let parsers: Map<string, ReportParser>;
beforeAll(async () => {
  parsers = new Map((await loadParsers()).map((parser) => [parser.tool, parser]));
});

const read = async (tool: string, report: unknown) => {
  const parser = parsers.get(tool);
  if (parser === undefined) throw new Error(`no parser ${tool}`);
  return parseText(parser, typeof report === 'string' ? report : JSON.stringify(report));
};

const run = (fields: object) => ({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'Example' } }, results: [], ...fields }],
});

describe('a scan that failed, or left something out, says so', () => {
  it.each<[string, string, unknown, string[]]>([
    [
      'sarif',
      'was not successful',
      run({ invocations: [{ executionSuccessful: false, exitCodeDescription: 'killed' }] }),
      ['The run of Example was not successful: killed.'],
    ],
    [
      'sarif',
      'names an error',
      run({
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: [
              { level: 'error', message: { text: 'a.py was not parsed' } },
              { level: 'warning', message: { text: 'slow' } },
            ],
          },
        ],
      }),
      ['a.py was not parsed'],
    ],
    ['sarif', 'has a run without results', run({ results: undefined }), ['The run of Example has no results.']],
    ['sarif', 'has null for results', run({ results: null }), ['The run of Example has no results.']],
    ['sarif', 'has no runs', { version: '2.1.0', runs: [] }, ['The file has no runs.']],
    [
      'opengrep',
      'holds only errors',
      {
        version: '1',
        results: [],
        paths: { scanned: ['a.py'] },
        errors: [
          { level: 'error', type: 'Timeout', message: 'Timeout in a.py' },
          { level: 'warn', message: 'x' },
        ],
      },
      ['Timeout in a.py'],
    ],
    [
      'opengrep',
      'scanned nothing',
      { version: '1', results: [], errors: [], paths: { scanned: [] } },
      ['No file was scanned.'],
    ],
    [
      'bandit',
      'names a file',
      {
        errors: [{ filename: 'a.py', reason: 'syntax error while parsing AST' }],
        generated_at: '2026-01-01T00:00:00Z',
        metrics: {},
        results: [],
      },
      ['a.py: syntax error while parsing AST'],
    ],
    [
      'gitlab',
      'has another status than success',
      {
        version: '15.0.0',
        scan: {
          type: 'sast',
          status: 'failure',
          scanner: { id: 's', name: 'S' },
          messages: [{ level: 'error', value: 'no rules' }],
        },
        vulnerabilities: [],
      },
      ['The scan ended with status “failure”.', 'no rules'],
    ],
    [
      'checkov',
      'could not parse a file',
      {
        check_type: 'terraform',
        results: { failed_checks: [], parsing_errors: ['/a.tf'] },
        summary: { parsing_errors: 1, checkov_version: '3' },
      },
      ['/a.tf could not be parsed.'],
    ],
    [
      'kics',
      'counts failures and lists null',
      {
        kics_version: '1',
        files_scanned: 1,
        files_failed_to_scan: 2,
        queries_failed_to_execute: 0,
        total_counter: 4,
        queries: null,
      },
      ['2 files could not be scanned.', 'The summary counts 4 results, but none is listed.'],
    ],
    [
      'terrascan',
      'counts violations and lists null',
      {
        results: {
          violations: null,
          scan_errors: [{ iac_type: 'terraform', errMsg: 'bad block' }],
          scan_summary: { iac_type: 'terraform', violated_policies: 3 },
        },
      },
      ['bad block', 'The summary counts 3 violated policies, but none is listed.'],
    ],
    [
      'tflint',
      'holds only errors',
      { issues: [], errors: [{ summary: 'Bad', message: 'Invalid quoted type constraints' }] },
      ['Invalid quoted type constraints'],
    ],
    [
      'owasp-dependency-check',
      'names an analyser',
      {
        reportSchema: '1.1',
        scanInfo: { engineVersion: '12', analysisExceptions: [{ exception: { message: 'NVD not reached' } }] },
        projectInfo: { name: 'p' },
        dependencies: [],
      },
      ['NVD not reached'],
    ],
    [
      'clamav',
      'could not read a file',
      "/a/x: Can't open file ERROR\n/a/y: OK\n\n----------- SCAN SUMMARY -----------\nInfected files: 0\nTotal errors: 1\n",
      ["/a/x: Can't open file ERROR", 'Total errors: 1'],
    ],
  ])('%s: one that %s', async (tool, _, report, failures) => {
    expect((await read(tool, report)).failures).toEqual(failures);
  });

  it('is not said of a whole scan, nor where Terrascan tried all types', async () => {
    const all = { iac_type: 'all', errMsg: 'kustomization.yaml file not found' };
    const terrascan = {
      results: { violations: null, scan_errors: [all], scan_summary: { iac_type: 'all', violated_policies: 0 } },
    };
    expect((await read('terrascan', terrascan)).failures).toEqual([]);
    expect((await read('sarif', run({ invocations: [{ executionSuccessful: true }] }))).failures).toEqual([]);
  });
});

describe('the part of a report', () => {
  const partsOf = async (tool: string, report: unknown) => (await read(tool, report)).coverage.map(({ part }) => part);

  it('of SARIF is the category without the run, and the tools of several runs', async () => {
    expect(await partsOf('sarif', run({ automationDetails: { id: 'build/js/2026-11-22' } }))).toEqual([
      { category: 'build/js' },
    ]);
    expect(await partsOf('sarif', run({ automationDetails: { id: 'build/js/' } }))).toEqual([{ category: 'build/js' }]);
    expect(await partsOf('sarif', run({ automationDetails: { id: 'js' } }))).toEqual([{ category: 'js' }]);
    expect(await partsOf('sarif', run({}))).toEqual([]);
    const two = { version: '2.1.0', runs: ['A', 'B'].map((name) => ({ tool: { driver: { name } }, results: [] })) };
    expect(await partsOf('sarif', two)).toEqual([{ tools: 'A' }, { tools: 'B' }]);
  });

  it('is no checkout folder', async () => {
    const bom = (name: string) => ({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { type: 'application', name } },
      components: [],
    });
    expect(await partsOf('cyclonedx', bom('shop'))).toEqual([{ root: 'shop' }]);
    for (const name of ['.', './', '/builds/team/shop', 'C:\\work\\shop', '~/shop'])
      expect(await partsOf('cyclonedx', bom(name)), name).toEqual([]);
  });

  it('is no region where Prowler looked at several', async () => {
    const check = (Region: string) => ({
      CheckID: 'c',
      CheckTitle: 't',
      Status: 'PASS',
      Severity: 'low',
      ServiceName: 's',
      AccountId: '1',
      Region,
      ResourceId: 'r',
    });
    expect(await partsOf('prowler', [check('eu-west-1'), check('eu-west-1')])).toEqual([
      { account: '1' },
      { region: 'eu-west-1' },
    ]);
    expect(await partsOf('prowler', [check('eu-west-1'), check('us-east-1')])).toEqual([{ account: '1' }]);
  });
});

/** A cell of the table. */
const cell = (texts: readonly string[]): string => (texts.length === 0 ? '-' : texts.join('; '));

describe('the table of the README', () => {
  it('says what every parser declares', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    for (const [tool, { reads }] of parsers) {
      const parts = Object.entries(reads?.part ?? {}).map(([name, where]) => `${name}: ${where}`);
      const row = [
        parts,
        reads?.files === undefined ? [] : [reads.files],
        reads?.failure ?? [],
        [reads?.identity ?? ''],
      ];
      expect(readme).toContain(`| \`${tool}\` | ${row.map(cell).join(' | ')} |`);
    }
  });
});
