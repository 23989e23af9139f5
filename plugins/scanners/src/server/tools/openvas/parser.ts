import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { partOf, scanFailure } from '../../lib/findings/coverage.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { csvColumns, readTableReport } from '../../lib/formats/csv.ts';
import { readXml, rootName, type XmlElement, type XmlShape } from '../../lib/formats/xml.ts';
import { Tally, wrongTool } from '../../lib/json/records.ts';
import { label } from '../../lib/values/read.ts';
import { resultCheck, resultFinding, rowOf } from './result.ts';

const NAME = 'OpenVAS';
/** Roots of a report as it is downloaded and as the manager's protocol answers, with what stands around the results. */
const ROOTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['report', ['report/', '']],
  ['get_reports_response', ['report/report/', 'report/']],
]);
const PARTS = ['results/result', 'errors/error', 'scan_run_status', 'task'] as const;

const shapeOf = (root: string): XmlShape => ({
  root,
  namespace: '',
  records: (ROOTS.get(root) ?? ['']).flatMap((around) => PARTS.map((part) => `${around}${part}`)),
  tool: NAME,
});

const COLUMNS = ['NVT Name', 'NVT OID', 'IP', 'Specific Result'];

const isTable = (start: string): boolean => {
  const columns = csvColumns(Buffer.from(start));
  return COLUMNS.every((name) => columns.includes(name));
};

function recogniseOpenvas(head: Uint8Array): number {
  const start = startText(head);
  if (!start.startsWith('<')) return isTable(start) ? 0.97 : 0;
  const root = rootName(start);
  if (root === 'get_reports_response') return 0.97;
  return root === 'report' && /<(?:gmp|omp|report_format|nvt oid|scan_run_status)[\s>=]/.test(start) ? 0.97 : 0;
}

/** @throws ReportError */
const parseOpenvas = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => {
    const root = start.startsWith('<') ? (rootName(start) ?? '') : undefined;
    if (root !== undefined) return (whole) => parseXml(whole, root, options);
    return (whole) => parseTable(whole, isTable(start), options);
  });

async function* parseXml(
  report: AsyncIterable<Uint8Array>,
  root: string,
  { signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  let index = 0;
  yield { kind: 'report', toolName: NAME };
  for await (const { path, element } of readXml(report, shapeOf(ROOTS.has(root) ? root : 'report'), signal)) {
    if (!path.endsWith('results/result')) {
      yield* coverageOf(path, element);
      continue;
    }
    const row = rowOf(element);
    if (resultCheck.accepts(row)) {
      tally.readable += 1;
      yield resultFinding(row);
    } else yield* tally.addUnreadable(`result[${index}]`, resultCheck.issue());
    index += 1;
  }
  tally.assertReadable((reason) => wrongTool(NAME, reason));
}

/** Task, state and errors of a scan. */
function* coverageOf(path: string, element: XmlElement): Generator<ReportRecord> {
  // The task stands in the report and around it.
  if (path.endsWith('task')) yield* partOf({ task: label(element.textOf('name')) });
  else if (path.endsWith('scan_run_status')) {
    if (!/^done$/i.test(element.text)) yield scanFailure(`The scan ended with status “${element.text}”.`);
  } else {
    const host = element.child('host')?.text ?? '';
    yield scanFailure(`${host}: ${element.textOf('description') ?? 'the scanner reports an error'}`);
  }
}

function parseTable(
  report: AsyncIterable<Uint8Array>,
  isOurs: boolean,
  options: ParseOptions,
): AsyncIterable<ReportRecord> {
  const refuse = (): string | undefined => (isOurs ? undefined : 'it is neither its XML nor its table of results');
  return readTableReport(report, options, { tool: NAME, refuse, check: resultCheck }, resultFinding);
}

export const openvas: ReportParser = {
  tool: 'openvas',
  aliases: ['greenbone', 'gvm'],
  formats: ['xml', 'csv'],
  reads: {
    part: { task: "`task`'s name of the XML" },
    failure: ['`scan_run_status` is not Done', '`errors/error`'],
    identity: 'test, host, port and protocol',
  },
  recognise: recogniseOpenvas,
  parse: advised(parseOpenvas, 'Download, XML'),
};
