import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { partOf, scanFailure, scanFailures, scannedFiles } from '../../lib/findings/coverage.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { readByStart } from '../../lib/formats/by-start.ts';
import { readReport } from '../../lib/input/decode.ts';
import { type JsonFormat, Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, isRecord, label, list } from '../../lib/values/read.ts';
import type { RecordCheck } from '../../lib/values/schema.ts';
import { FORMAT_NAME, files } from './files.ts';
import { tables } from './preview.ts';
import { exportedRecord, type FlatRecord, type RecordOptions, readRecord } from './record.ts';
import { NAME, ownMapping, readMapped, readTable, tableStart } from './table.ts';

const FORMAT: JsonFormat = {
  name: NAME,
  shape: {
    ...{ format: 'value', version: 'value', tool: 'value', target: 'value', part: 'value', date: 'value' },
    ...{ status: 'value', errors: 'value', scanned_files: 'value', meta: 'value' },
    ...{ findings: 'records', data: 'records' },
  },
};

/** Columns without which a table is not taken for ours by itself; whoever names the format needs only what findings need. */
const TELLING = ['rule_id', 'title', 'severity'] as const;

function recogniseOwn(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (sketch.texts.get('format') === FORMAT_NAME) return 0.99;
  if (hasKeys(sketch, ...TELLING, 'type')) return 0.85;
  if (innerHas(sketch, 'data', '_id', 'attributes')) return 0.85;
  if (hasKeys(sketch, 'data') && innerHas(sketch, 'meta', 'total', 'labels')) return 0.85;
  const columns = sketch.root === 'other' ? (tableStart(head)?.columns ?? []) : [];
  return TELLING.every((name) => columns.includes(name)) ? 0.9 : 0;
}

/** Reads a record where it is checked, because what is wrong with it shows only then. */
function recordReader(options: RecordOptions, recordOf: (value: unknown) => FlatRecord | undefined) {
  let last: ReturnType<typeof readRecord> = { issue: 'must be an object' };
  const check: RecordCheck<unknown> = {
    accepts: (value): value is unknown => {
      const record = recordOf(value);
      last = record === undefined ? { issue: 'must be an object' } : readRecord(record, options);
      return !('issue' in last);
    },
    issue: () => ('issue' in last ? last.issue : ''),
  };
  return { check, read: () => ('issue' in last ? undefined : last) };
}

/** Name of the scanner, as the report gives it. */
function toolOf({ values }: JsonNode): string | undefined {
  const tool = values.get('tool');
  return isRecord(tool) ? label(tool.name) : label(tool);
}

function createReader({ family }: ParseOptions): StreamReader {
  const options: RecordOptions = { family, nameOf: (field) => `“${field}”` };
  const flat = (value: unknown) => (isRecord(value) ? value : undefined);
  const readers = new Map<JsonNode, ReturnType<typeof recordReader>>();
  const ofReport = (node: JsonNode): ReturnType<typeof recordReader> => {
    const reader = readers.get(node) ?? recordReader({ ...options, tool: toolOf(node) }, flat);
    readers.set(node, reader);
    return reader;
  };
  const alone = recordReader(options, flat);
  const exported = recordReader(options, exportedRecord);
  return {
    lists: {
      findings: (node) => {
        if (node === undefined) return alone;
        return node.isClosed || node.values.has('tool') ? ofReport(node) : LATER;
      },
      data: () => exported,
      report: () => alone,
    },
    *document(document) {
      readers.delete(document);
      yield* scanOf(document);
    },
  };
}

function* scanOf(document: JsonNode): Generator<ReportRecord> {
  const { values, lists } = document;
  const value = (name: string) => label(values.get(name));
  if (document.isListed('data') && !lists.has('findings')) {
    yield { kind: 'report', toolName: `${NAME} export` };
    yield scanFailure('This is an export of findings, which may have been filtered: nothing is closed by it.');
    return;
  }
  if (!document.isListed('findings')) throw wrongTool(NAME, 'it has no list “findings”');
  const status = value('status');
  if (status !== undefined && status !== 'complete') yield scanFailure(`The report says that its scan is “${status}”.`);
  yield* scanFailures(
    list(values.get('errors')).map((error) => ({ error })),
    ({ error }) => label(error),
  );
  yield* partOf({ part: value('part') });
  yield* scannedFiles(list(values.get('scanned_files')));
  yield defined({
    kind: 'report' as const,
    toolName: toolOf(document) ?? NAME,
    toolVersion: label(fields(values.get('tool')).version),
    target: value('target'),
    date: isoDate(values.get('date')),
  });
}

async function* parseTable(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  const { signal, family, mapping } = options;
  const bytes = await readReport(report, signal);
  if (mapping !== undefined) {
    yield* readMapped(bytes, mapping, options);
    return;
  }
  const start = tableStart(bytes.subarray(0, 64 * 1024));
  if (start === undefined) throw wrongTool(NAME, 'it is neither JSON nor a table with a row of names');
  const tally = new Tally();
  yield* readTable(bytes, { separator: start.separator, mapping: ownMapping(start.columns), family, tally, signal });
  tally.assertReadable((reason) => wrongTool(NAME, reason));
}

const parseOwn = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) =>
    options.mapping === undefined && (start === '' || /^[[{]/.test(start))
      ? (whole) => readJson(whole, options, FORMAT, () => createReader(options))
      : (whole) => parseTable(whole, options),
  );

export const breakwater: ReportParser = {
  tool: 'breakwater',
  aliases: ['generic'],
  formats: ['json', 'csv'],
  reads: {
    part: { part: '`part`' },
    files: '`scanned_files`',
    failure: [
      '`status` is not `complete`',
      '`errors[]`',
      'CSV: `scan_status` is `incomplete`',
      'an export of findings',
    ],
    identity: 'rule, path and code; vulnerability and package; rule, path and secret',
  },
  recognise: recogniseOwn,
  parse: parseOwn,
  tables,
  files,
};
