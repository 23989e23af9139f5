import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { rootName } from '../../lib/formats/xml.ts';
import { headText, peek, readReport } from '../../lib/input/decode.ts';
import { isZip, readZip, type ZipPart, zipNames } from '../../lib/input/zip.ts';
import { Tally, wrongTool } from '../../lib/json/records.ts';
import { readAudit, readFvdl } from './fvdl.ts';
import { readReportXml, readWebinspect } from './report-xml.ts';

const NAME = 'Fortify';
/** Files of an FPR. */
const FPR =
  /(?:^|\/)(?:audit\.fvdl(?:\.mac)?|webinspect\.xml|externalmetadata\.xml|filtertemplate\.xml)$|^src-archive\//i;

function recogniseFortify(head: Uint8Array, name?: string): number {
  if (isZip(head)) {
    if (zipNames(head).some((entry) => FPR.test(entry))) return 0.97;
    return /\.fpr$/i.test(name ?? '') ? 0.6 : 0;
  }
  const start = headText(head).toString('utf8', 0, 16 * 1024);
  const root = rootName(start);
  if (root === 'FVDL') return 0.98;
  if (root === 'ReportDefinition') return 0.97;
  if (root === 'Scan') return /<(?:PolicyName|Issues|VulnerabilityID)\b/.test(start) ? 0.95 : 0;
  return root === 'Sessions' && /<(?:Session|RequestGUID)\b/.test(start) ? 0.8 : 0;
}

/** @throws ReportError */
async function* parseFortify(
  report: AsyncIterable<Uint8Array>,
  { signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const start = await peek(report, 16 * 1024);
  if (isZip(start.head)) yield* readFpr(await readReport(start.report, signal), signal);
  else yield* readPlain(start.report, headText(start.head), signal);
}

async function* readFpr(bytes: Buffer, signal: AbortSignal): AsyncGenerator<ReportRecord> {
  const parts = await readZip(bytes);
  const part = (name: string): ZipPart | undefined =>
    parts.find((entry) => entry.name.toLowerCase() === name) ??
    parts.find((entry) => entry.name.toLowerCase().endsWith(`/${name}`));
  const audit = part('audit.xml');
  const fvdl = part('audit.fvdl');
  const webinspect = part('webinspect.xml');
  if (fvdl !== undefined) {
    const decisions = audit === undefined ? new Map() : await readAudit(audit.read(), signal);
    yield* readFvdl(fvdl.read(), decisions, signal);
  } else if (webinspect !== undefined) {
    const start = await peek(webinspect.read(), 16 * 1024);
    yield* readPlain(start.report, headText(start.head), signal);
  } else throw wrongTool(NAME, 'the archive holds no “audit.fvdl”');
}

async function* readPlain(
  report: AsyncIterable<Uint8Array>,
  head: Buffer,
  signal: AbortSignal,
): AsyncGenerator<ReportRecord> {
  const root = rootName(head.toString('utf8'));
  if (root === 'ReportDefinition') yield* readReportXml(report, new Tally(), signal);
  else if (root === 'Scan' || root === 'Sessions') yield* readWebinspect(report, root, new Tally(), signal);
  else {
    // Whatever else it is, the reader of FVDL says what is wrong with it.
    yield* readFvdl(report, new Map(), signal);
  }
}

export const fortify: ReportParser = {
  tool: 'fortify',
  formats: ['fpr', 'fvdl', 'xml'],
  reads: {
    part: { project: '`Build/Project` of the FVDL' },
    failure: [],
    identity: 'instance id, rule and path',
  },
  recognise: recogniseFortify,
  parse: parseFortify,
};
