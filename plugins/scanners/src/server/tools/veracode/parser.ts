import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { csvColumns, readTableReport } from '../../lib/formats/csv.ts';
import { rootName } from '../../lib/formats/xml.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { fields, label, number, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { ROOT, readDetailedReport } from './detailed-report.ts';
import { agentFinding, apiFinding, componentFinding, decision, levelOfScore } from './flaw.ts';

const NAME = 'Veracode';
const Text = Type.String({ minLength: 1 });
const LISTS = { findings: 'records', issues: 'records' } as const;
const FORMAT: JsonFormat = { name: NAME, shape: { ...LISTS, _embedded: { object: LISTS }, page: 'value' } };

const findingCheck = recordCheck(Type.Object({ scan_type: Text, finding_details: Type.Object({}) }));
const issueCheck = recordCheck(
  Type.Object({ issue_type: Text, library: Type.Object({}), vulnerability: Type.Object({}) }),
);
const rowCheck = recordCheck(Type.Object({ 'Issue ID': Text, 'Issue type': Text, Library: Text }));

const COLUMNS = ['Issue ID', 'Issue type', 'Library', 'Vulnerability ID'];

function isTable(start: string): boolean {
  const columns = csvColumns(Buffer.from(start));
  return COLUMNS.every((name) => columns.includes(name));
}

function recogniseVeracode(head: Uint8Array): number {
  const start = startText(head);
  if (start.startsWith('<')) return rootName(start) === ROOT ? 0.97 : 0;
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'findings', 'scan_type', 'finding_details')) return 0.97;
  const isPage = hasKeys(sketch, '_embedded');
  if (isPage && start.includes('"finding_details"') && start.includes('"scan_type"')) return 0.97;
  if (isPage && start.includes('"issue_type"') && start.includes('"vulnerability"')) return 0.95;
  return isTable(start) ? 0.95 : 0;
}

/** @throws ReportError */
const parseVeracode = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => {
    if (start.startsWith('<')) return (whole) => readDetailedReport(whole, options);
    if (isTable(start)) return (whole) => readTable(whole, options);
    return (whole) => readJson(whole, options, FORMAT, createReader);
  });

function createReader(): StreamReader {
  let listed = 0;
  let total = 0;
  const counting = (read: (value: unknown) => NormalizedFinding) => (value: unknown) => {
    listed += 1;
    return read(value);
  };
  const findings = { check: findingCheck, read: counting(apiFinding) };
  const issues = { check: issueCheck, read: counting(agentFinding) };
  return {
    lists: { findings: () => findings, issues: () => issues, report: () => findings },
    *document(document) {
      const holders = [document, document.child('_embedded')];
      if (!holders.some((holder) => holder?.lists.has('findings') || holder?.lists.has('issues')))
        throw wrongTool(NAME, 'it has no “findings”');
      total = Math.max(total, number(fields(document.values.get('page')).total_elements) ?? 0);
    },
    *end() {
      yield { kind: 'report', toolName: NAME };
      if (listed < total)
        yield scanFailure(`${listed} of ${total} findings are listed: put all pages of the API into one file.`);
    },
  };
}

const readTable = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readTableReport(report, options, { tool: NAME, check: rowCheck }, (row) => rowFinding(fields(row)));

/** A row of the issues that agent-based scans export; licences and outdated libraries are no vulnerabilities. */
function rowFinding(row: Record<string, unknown>): NormalizedFinding | undefined {
  if (!/^vulnerability$/i.test(label(row['Issue type']) ?? '')) return undefined;
  const cve = label(row.CVE);
  const score = number(row['CVSS score']);
  const coordinates = [label(row['Coordinate 1']), label(row['Coordinate 2'])].filter((part) => part !== undefined);
  return componentFinding({
    id: cve === undefined ? label(row['Vulnerability ID']) : `CVE-${cve.replace(/^CVE-/i, '')}`,
    title: text(row.Title),
    severity: levelOfScore(score),
    name: coordinates.join(':') || label(row.Library),
    version: row['Version in use'],
    ecosystem: label(row['Package manager'])?.toLowerCase(),
    fixedVersion: row['Updated Version'],
    paths: [],
    cwe: undefined,
    ratings: [['2.0', score, undefined]],
    description: undefined,
    suppressed: /^true$/i.test(label(row.Ignored) ?? '')
      ? { verdict: 'accepted_risk', reason: 'Ignored in Veracode.' }
      : decision(/^fixed$/i.test(label(row.Status) ?? ''), false, []),
  });
}

export const veracode: ReportParser = {
  tool: 'veracode',
  formats: ['xml', 'json', 'csv'],
  reads: {
    part: { application: '`app_name` of the detailed report', sandbox: 'its `sandbox_id`' },
    failure: ['`page.total_elements` above the number of findings'],
    identity: 'flaw number of the application; vulnerability and component',
  },
  recognise: recogniseVeracode,
  parse: advised(parseVeracode, 'detailedreport.do, XML'),
};
