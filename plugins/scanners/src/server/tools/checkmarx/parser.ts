import type { NormalizedFinding, ParseOptions, ReportInfo, ReportParser, ReportRecord } from '@breakwater/sdk';
import { partOf } from '../../lib/findings/coverage.ts';
import { readXml, type XmlShape } from '../../lib/formats/xml.ts';
import { headText, peek } from '../../lib/input/decode.ts';
import { type Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, type RecordReader, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label } from '../../lib/values/read.ts';
import { vulnerabilityFinding } from '../gitlab/vulnerability.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { oneFinding } from './one-result.ts';
import { osaFinding, osaFindings, RiskPackages } from './osa.ts';
import { REPORT_SHAPE, reportFinding } from './report.ts';
import { issueFindings, resultFinding } from './sast.ts';
import {
  anyCheck,
  dateOf,
  type FlowIssue,
  flowIssueCheck,
  type GitlabVulnerability,
  gitlabVulnerabilityCheck,
  isCheckmarxJson,
  longDate,
  looseResultCheck,
  type OneResult,
  oneResultCheck,
  osaVulnerabilityCheck,
  reportResultCheck,
  scaVulnerabilityCheck,
} from './schema.ts';

const SHAPE: JsonShape = {
  ...REPORT_SHAPE,
  results: 'records',
  totalCount: 'value',
  scanID: 'value',
  xissues: 'records',
  version: 'value',
  vulnerabilities: 'records',
  scan: 'value',
  RiskReportSummary: 'value',
  Packages: 'records',
  Vulnerabilities: 'records',
};
const NAME = 'Checkmarx';
const FORMAT = { writer: SARIF_WRITERS.checkmarx, shape: SHAPE, writesNullLists: true };
const XML: XmlShape = { root: 'CxXMLResults', namespace: '', records: ['Query/Result'], tool: NAME };
const OSA = /^\s*\[\s*\[(?:\s*\]\s*,\s*\[)?\s*\{/;

function recogniseCheckmarx(head: Uint8Array): number {
  const start = headText(head).toString('utf8');
  if (/^\s*</.test(start)) return /<CxXMLResults[\s>]/.test(start.slice(0, 4_096)) ? 0.98 : 0;
  if (isCheckmarxJson(head)) return 0.97;
  if (OSA.test(start) && /"(?:libraryId|cveName|highUniqueVulnerabilityCount)"/.test(start)) return 0.95;
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'cveName', 'severity') && sketch.root === 'array') return 0.9;
  if (hasKeys(sketch, 'similarityId', 'vulnerabilityDetails')) return 0.9;
  return sarifScore(head, SARIF_WRITERS.checkmarx);
}

/** @throws ReportError */
export async function* parseCheckmarx(
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const start = await peek(report, 1_024);
  if (headText(start.head).toString('utf8').trimStart().startsWith('<')) yield* parseXml(start.report, options);
  else yield* readJsonOrSarif(start.report, options, FORMAT, createReader);
}

async function* parseXml(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  let isFirst = true;
  for await (const { element, above } of readXml(report, XML, signal)) {
    const [root, query] = above;
    const date = longDate(root?.get('ScanStart'));
    if (isFirst) {
      yield reportInfo(root?.get('CheckmarxVersion'), date);
      yield* partOf({ project: label(root?.get('ProjectName')) });
    }
    isFirst = false;
    yield resultFinding(element, query ?? new Map(), date);
  }
  if (isFirst) yield reportInfo(undefined, undefined);
}

function createReader(tally: Tally): StreamReader {
  const pages: (readonly unknown[])[] = [];
  const packages = new WeakMap<JsonNode, RiskPackages>();
  const packagesIn = (document: JsonNode): RiskPackages => {
    const known = packages.get(document) ?? new RiskPackages();
    packages.set(document, known);
    return known;
  };
  let documents = 0;
  return {
    lists: {
      results: () => ({ check: oneResultCheck, read: (found: OneResult) => oneFinding(found) }),
      xissues: () => ({ check: flowIssueCheck, read: (issue: FlowIssue) => issueFindings(fields(issue)) }),
      // The two lists of a risk report may stand in any order.
      Packages: (document) => ({ keep: (value) => document !== undefined && packagesIn(document).keep(value) }),
      Vulnerabilities: (document) => {
        if (document === undefined || !document.isClosed) return LATER;
        return { check: scaVulnerabilityCheck, read: (found) => packagesIn(document).finding(fields(found)) };
      },
      vulnerabilities: reportResults,
      resultsList: reportResults,
      report: () => ({
        check: anyCheck,
        read: (found: unknown, index: number) => {
          if (!Array.isArray(found)) return looseFinding(found, index, tally);
          pages.push(found);
          return undefined;
        },
        isSupplement: true,
      }),
    },
    *document(document) {
      documents += 1;
      yield documentInfo(document);
      yield* partOf({ project: label(fields(document.values.get('reportHeader')).projectName) });
    },
    *end() {
      if (documents === 0) yield reportInfo(undefined, undefined);
      yield* osaFindings(pages, tally);
    },
  };
}

function looseFinding(found: unknown, index: number, tally: Tally): Iterable<ReportRecord> | ReportRecord {
  // The API lists vulnerabilities alone, and libraries elsewhere.
  if (osaVulnerabilityCheck.accepts(found)) {
    tally.readable += 1;
    return osaFinding(found, {});
  }
  if (!looseResultCheck.accepts(found)) return tally.addUnreadable(`report[${index}]`, looseResultCheck.issue());
  tally.readable += 1;
  return oneFinding(found);
}

/** Results below queries, packages and technologies, and at the top those of GitLab's format. */
function reportResults(node: JsonNode | undefined): RecordReader<unknown> | typeof LATER {
  if (node === undefined || !node.root.isClosed) return LATER;
  if (node.parent === undefined) {
    const scan = fields(node.values.get('scan'));
    const read = (found: GitlabVulnerability) => gitlabFinding(found, scan);
    return { check: gitlabVulnerabilityCheck, read };
  }
  const make = reportFinding(node);
  return { check: reportResultCheck, read: (found) => make?.(fields(found)) };
}

/** What the report says of itself. @throws ReportError */
function documentInfo({ lists, values, children }: JsonNode): ReportInfo {
  const header = fields(values.get('reportHeader'));
  const isReport = ['scanResults', 'iacScanResults', 'scaScanResults'].some((key) => children.has(key));
  const hasList = ['results', 'xissues', 'vulnerabilities', 'Vulnerabilities'].some((key) => lists.has(key));
  if (!isReport && !hasList && !values.has('RiskReportSummary') && !values.has('reportHeader'))
    throw wrongTool(NAME, 'it has no “results” or “scanResults”');
  // In GitLab's format the version is that of the format.
  const version = values.has('scan') ? fields(fields(values.get('scan')).scanner).version : values.get('version');
  return reportInfo(version, dateOf(header.createdDate) ?? dateOf(header.scanDate));
}

/** GitLab's format says less than Checkmarx knows: the query is the name, the only identifier is the path's. */
function gitlabFinding(found: GitlabVulnerability, scan: Record<string, unknown>): NormalizedFinding {
  const made = vulnerabilityFinding(found, { scan, ecosystems: new Map() });
  const fingerprint = label(fields(found.identifiers[0]).value);
  return defined({ ...made, ruleId: label(found.name) ?? made.ruleId, fingerprint });
}

function reportInfo(version: unknown, date: string | undefined): ReportInfo {
  return defined({ kind: 'report' as const, toolName: NAME, toolVersion: label(version), date });
}

export const checkmarx: ReportParser = {
  tool: 'checkmarx',
  formats: ['xml', 'json', 'sarif'],
  reads: orSarif({
    part: { project: '`ProjectName` of the XML, `reportHeader.projectName` of the report service' },
    failure: [],
    identity: 'query, path and code; vulnerability and package',
  }),
  recognise: recogniseCheckmarx,
  parse: parseCheckmarx,
};
