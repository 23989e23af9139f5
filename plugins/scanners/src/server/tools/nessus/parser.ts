import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { partOf } from '../../lib/findings/coverage.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { csvColumns, readTableReport } from '../../lib/formats/csv.ts';
import { rootName, type XmlRecord, type XmlShape } from '../../lib/formats/xml.ts';
import { readXmlReport } from '../../lib/formats/xml-report.ts';
import { label } from '../../lib/values/read.ts';
import { columnOf, resultCheck, resultFinding, resultOfItem } from './result.ts';

const NAME = 'Nessus';
const ROOT = 'NessusClientData_v2';
const XML: XmlShape = {
  root: ROOT,
  namespace: '',
  records: ['Report/ReportHost/ReportItem'],
  heads: ['Report'],
  tool: NAME,
};

function recogniseNessus(head: Uint8Array): number {
  const start = startText(head);
  if (start.startsWith('<')) return rootName(start) === ROOT ? 0.98 : 0;
  return delimiterOf(start) === undefined ? 0 : 0.95;
}

/** Columns that no other tool's table has together. */
const TABLES: readonly (readonly string[])[] = [
  ['plugin id', 'risk', 'host', 'plugin output'],
  ['plugin', 'plugin name', 'severity', 'ip address'],
  ['definition.id', 'definition.name', 'asset.name'],
];

function delimiterOf(start: string): ',' | ';' | undefined {
  return ([',', ';'] as const).find((delimiter) => {
    const columns = new Set(csvColumns(Buffer.from(start), delimiter).map((name) => name.trim().toLowerCase()));
    return TABLES.some((names) => names.every((name) => columns.has(name)));
  });
}

/** @throws ReportError */
const parseNessus = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => {
    const delimiter = start.startsWith('<') ? undefined : delimiterOf(start);
    return (whole) => (start.startsWith('<') ? readXml(whole, options) : readTable(whole, delimiter, options));
  });

const readXml = (report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncIterable<ReportRecord> =>
  readXmlReport(
    report,
    {
      shape: XML,
      check: resultCheck,
      record: resultOfItem,
      head: ({ element }: XmlRecord) => partOf({ scan: label(element.attributes.get('name')) }),
    },
    signal,
    resultFinding,
  );

function readTable(
  report: AsyncIterable<Uint8Array>,
  delimiter: ',' | ';' | undefined,
  options: ParseOptions,
): AsyncIterable<ReportRecord> {
  const refuse = (): string | undefined =>
    delimiter === undefined ? 'it is neither its XML nor one of its tables' : undefined;
  const table = { tool: NAME, refuse, delimiter, column: columnOf, check: resultCheck };
  return readTableReport(report, options, table, resultFinding);
}

export const nessus: ReportParser = {
  tool: 'nessus',
  aliases: ['tenable'],
  formats: ['nessus', 'xml', 'csv'],
  reads: {
    part: { scan: "`Report`'s `name` of the XML" },
    failure: [],
    identity: 'plugin, host, port and protocol; in tables also the CVE',
  },
  recognise: recogniseNessus,
  parse: advised(parseNessus, 'Export, Nessus (.nessus)'),
};
