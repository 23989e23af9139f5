import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { advised, readByStart } from '../../lib/formats/by-start.ts';
import { csvColumns, readTableReport } from '../../lib/formats/csv.ts';
import { headText } from '../../lib/input/decode.ts';
import type { JsonFormat } from '../../lib/json/records.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, recordsAlone } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, labels, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const Text = Type.String({ minLength: 1 });
const Status = Type.Union([Text, Type.Number()]);

/** A result. Source: cloudsploit postprocess/output.js; a row of the CSV calls the status `statusWord` and has no plugin. */
const Result = Type.Union([
  Type.Object({ plugin: Text, status: Status }),
  Type.Object({ title: Text, status: Status }),
  Type.Object({ title: Text, statusWord: Text }),
]);
type Result = Static<typeof Result>;
const resultCheck = recordCheck(Result);

/** Words for the numbers that the scan itself uses. */
const STATUSES: ReadonlyMap<string, string> = new Map([
  ['1', 'WARN'],
  ['2', 'FAIL'],
]);

/** Undefined for what is in order or could not be found out. */
function resultFinding(result: Result): NormalizedFinding | undefined {
  const record = fields(result);
  const said = label(record.statusWord) ?? label(record.status) ?? '';
  const status = STATUSES.get(said) ?? said.toUpperCase();
  if (status !== 'FAIL' && status !== 'WARN') return undefined;
  const title = text(record.title);
  const ruleId = label(record.plugin) ?? label(record.title) ?? 'unnamed plugin';
  const region = labels(record.region, 50).join(', ');
  const resource = resourceOf(record.resource);
  const message = text(record.message);
  const rated = label(record.severity);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(title ?? message ?? ruleId),
    type: 'Cloud' as const,
    severity: severityFromWord(rated) ?? severityOf(status),
    nativeSeverity: rated ?? status,
    description: paragraphs(message, text(record.description), text(record.more_info)),
    mitigation: text(record.recommended_action),
    references: webAddresses(record.link),
    resource: resource ?? (region === '' ? undefined : region),
    policy: defined({
      name: title === undefined ? undefined : oneLine(title),
      category: label(record.category),
      control: ruleId,
    }),
    // One plugin says several things of one resource.
    fingerprint: message === undefined ? undefined : oneLine([region, resource, message].filter(Boolean).join(' ')),
    tags: region === '' ? undefined : [region],
  });
}

function severityOf(status: string): Severity {
  return status === 'FAIL' ? 'high' : 'medium';
}

function resourceOf(value: unknown): string | undefined {
  const resource = label(value);
  return resource === undefined || /^(?:n\/a|unknown)$/i.test(resource) ? undefined : resource;
}

const NAME = 'CloudSploit';
const FORMAT: JsonFormat = { name: NAME, shape: {}, emptyForms: ['[]'] };

function recogniseCloudsploit(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'plugin', 'category', 'title', 'status')) return 0.98;
  return isCsv(headText(head)) ? 0.95 : 0;
}

function isCsv(bytes: Buffer): boolean {
  const columns = csvColumns(bytes);
  return ['category', 'title', 'region', 'statusWord'].every((name) => columns.includes(name));
}

/** @throws ReportError */
const parseCloudsploit = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) =>
    isCsv(Buffer.from(start))
      ? (whole) => parseRows(whole, options)
      : (whole) => readJson(whole, options, FORMAT, () => recordsAlone(NAME, resultCheck, resultFinding)),
  );

const parseRows = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readTableReport(report, options, { tool: NAME, check: resultCheck }, resultFinding);

export const cloudsploit: ReportParser = {
  tool: 'cloudsploit',
  formats: ['json', 'csv'],
  reads: { part: {}, failure: [], identity: 'plugin, region, resource and message' },
  recognise: recogniseCloudsploit,
  parse: advised(parseCloudsploit, 'cloudsploit --json report.json'),
};
