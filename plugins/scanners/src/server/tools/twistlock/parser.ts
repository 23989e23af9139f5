import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { imageName } from '../../lib/findings/packages.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { csvColumns, readTableReport } from '../../lib/formats/csv.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode } from '../../lib/json/report.ts';
import { innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import {
  type Compliance,
  complianceCheck,
  complianceFinding,
  type Vulnerability,
  vulnerabilityCheck,
  vulnerabilityFinding,
} from './finding.ts';

const NAME = 'Prisma Cloud (Twistlock)';
const IMAGE = { name: 'value', id: 'value', vulnerabilities: 'records', compliances: 'records' } as const;
const FORMAT: JsonFormat = {
  name: NAME,
  shape: { results: { each: IMAGE }, consoleURL: 'value' },
  // Images without any are written so.
  writesNullLists: true,
};
const COLUMNS = ['Registry', 'Repository', 'Tag', 'CVE ID', 'Compliance ID', 'Packages'];

const rowCheck = recordCheck(
  Type.Object({ Severity: Type.String({ minLength: 1 }), 'CVE ID': Type.String(), 'Compliance ID': Type.String() }),
);

const isTable = (start: string): boolean => {
  const columns = csvColumns(Buffer.from(start));
  return COLUMNS.every((name) => columns.includes(name));
};

function recogniseTwistlock(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'results', 'vulnerabilityDistribution') || innerHas(sketch, 'results', 'complianceDistribution'))
    return 0.97;
  if (innerHas(sketch, 'results', 'id', 'distro')) return 0.9;
  return isTable(startText(head)) ? 0.97 : 0;
}

/** @throws ReportError */
const parseTwistlock = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => (whole) => {
    return isTable(start) ? readTable(whole, options) : readJson(whole, options, FORMAT, createReader);
  });

/** What an image's name keeps from build to build; a digest alone keeps nothing. */
const imageOf = ({ values }: JsonNode): string | undefined => imageName(label(values.get('name')));

const createReader = (): StreamReader => ({
  lists: {
    report: () => {
      throw wrongTool(NAME, 'it has no “results”');
    },
    vulnerabilities: (node) => {
      if (node?.isClosed !== true) return LATER;
      const image = imageOf(node);
      return { check: vulnerabilityCheck, read: (record: Vulnerability) => vulnerabilityFinding(record, image) };
    },
    compliances: (node) => {
      if (node?.isClosed !== true) return LATER;
      const image = imageOf(node);
      return { check: complianceCheck, read: (record: Compliance) => complianceFinding(record, image) };
    },
  },
  *document(document) {
    const images = document.children.get('results');
    if (images === undefined) throw wrongTool(NAME, 'it has no “results”');
    const [only] = images;
    const target = images.length === 1 && only !== undefined ? imageOf(only) : undefined;
    yield defined({ kind: 'report' as const, toolName: NAME, target });
  },
});

const readTable = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readTableReport(report, options, { tool: NAME, check: rowCheck }, (row) => rowFinding(fields(row)));

/** A row is a vulnerability, or a failed check where it has no CVE. */
function rowFinding(row: Record<string, unknown>): NormalizedFinding {
  const image =
    [label(row.Registry), label(row.Repository)].filter((part) => part !== undefined).join('/') || undefined;
  const id = label(row['CVE ID']);
  const common = { severity: row.Severity, description: row.Description, cause: row.Cause };
  if (id === undefined) {
    const check = label(row['Compliance ID']) ?? 'unnamed check';
    const title = label(row.Description) ?? `Compliance check ${check}`;
    const compliance = { ...common, id: check, title, category: row.Type };
    return complianceFinding(compliance, image);
  }
  const packages = label(row.Packages)?.split(',') ?? [];
  const vulnerability = {
    ...common,
    id,
    cvss: row.CVSS,
    packageName: label(row['Source Package']) ?? packages[0],
    packageVersion: row['Package Version'],
    status: row['Fix Status'],
    discoveredDate: row.Discovered,
  };
  return vulnerabilityFinding(vulnerability, image);
}

export const twistlock: ReportParser = {
  tool: 'twistlock',
  aliases: ['prisma-cloud'],
  formats: ['json', 'csv'],
  reads: { part: {}, failure: [], identity: 'vulnerability, package and image; check and image' },
  recognise: recogniseTwistlock,
  parse: advised(parseTwistlock, 'twistcli images scan --output-file report.json'),
};
