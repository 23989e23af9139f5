import { ReportError, type ReportParser, type ReportRecord } from '../findings/report-parser.ts';
import { type Mapper, MappingError, type ReportDocument } from './document.ts';
import { findingOf, mappedRecords } from './map-finding.ts';
import { recordsAt } from './records.ts';

/** A document is held in memory as a whole. */
const MAX_BYTES = 50 * 1024 * 1024;
/** Lines that go to the mapper together. */
const BATCH = 500;

/** Reads reports of a tool, as `report` of the document says. */
export function createParser(document: ReportDocument, tool: string, mapper: Mapper): ReportParser {
  const marks = document.recognise.map(withoutSpace);
  return {
    tool,
    formats: [document.format === 'json' ? 'json' : 'ndjson'],
    reads: { part: {}, failure: [], identity: document.identity },
    recognise(head) {
      const text = withoutSpace(new TextDecoder().decode(head));
      return /^[[{]/.test(text) && marks.every((mark) => text.includes(mark)) ? 0.9 : 0;
    },
    async *parse(report, { signal }): AsyncGenerator<ReportRecord> {
      const parts = document.format === 'json' ? wholeDocument(report) : batchesOfLines(report);
      let count = 0;
      for await (const { input, unreadable } of parts) {
        signal.throwIfAborted();
        yield* unreadable;
        for (const mapped of await readPart(document, input, mapper)) {
          count += 1;
          const finding = findingOf(mapped, document);
          yield 'refused' in finding ? { kind: 'unreadable', where: `record ${count}`, why: finding.refused } : finding;
        }
      }
    },
  };
}

interface Part {
  readonly input: unknown;
  readonly unreadable: readonly ReportRecord[];
}

async function readPart({ records, map, where }: ReportDocument, input: unknown, mapper: Mapper) {
  try {
    return await mappedRecords({ items: recordsAt(input, records), bindings: {}, map, where }, mapper);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new ReportError('report_malformed', `The report could not be read by its connector. ${error.message}`, {
      cause: error,
    });
  }
}

async function* wholeDocument(report: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of report) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) {
      throw new ReportError(
        'report_too_complex',
        'The report is larger than the 50 MB that its connector reads at once. Split it.',
      );
    }
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    yield { input: JSON.parse(text + decoder.decode()), unreadable: [] };
  } catch (error) {
    throw new ReportError('report_malformed', 'The report is not JSON. Export it again, as JSON.', { cause: error });
  }
}

async function* batchesOfLines(report: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  let input: unknown[] = [];
  let unreadable: ReportRecord[] = [];
  let number = 0;
  for await (const line of linesOf(report)) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      input.push(JSON.parse(line));
    } catch {
      // no text: said inside of another sentence
      unreadable.push({ kind: 'unreadable', where: `line ${number}`, why: 'is not JSON' });
    }
    if (input.length + unreadable.length >= BATCH) {
      yield { input, unreadable };
      input = [];
      unreadable = [];
    }
  }
  if (input.length + unreadable.length > 0) yield { input, unreadable };
}

async function* linesOf(report: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of report) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_BYTES)
      throw new ReportError('report_too_complex', 'A line of the report is longer than 50 MB.');
    yield* lines;
  }
  yield rest + decoder.decode();
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '');
