import { ReportError, type ReportRecord } from '@breakwater/sdk';
import { LIMITS } from '../limits.ts';
import type { RecordCheck } from '../values/schema.ts';
import { guessTool } from './known-tools.ts';
import { indexJson, type JsonReport, type JsonShape, type Ranges } from './report.ts';

/** A tool's JSON: its name for people, and where its records are. */
export interface JsonFormat {
  name: string;
  shape: JsonShape;
}

/** Turns an indexed report into records; what cannot be read goes to the tally. */
export type JsonReader = (json: JsonReport, tally: Tally) => Iterable<ReportRecord>;

/**
 * The frame of every JSON importer: index, refuse what shows another tool's marks, read, list broken lines, and refuse a
 * report in which nothing could be read.
 * @throws ReportError
 */
export function* readJsonReport(bytes: Buffer, format: JsonFormat, read: JsonReader): Generator<ReportRecord> {
  const json = indexJson(bytes, format.shape);
  refuseForeign(bytes, format.name);
  const tally = new Tally();
  yield* read(json, tally);
  yield* brokenLines(json, tally);
  tally.assertReadable((reason) => wrongTool(format.name, undefined, reason));
}

/** Keeps count of what was read, so that a report in which nothing can be read is refused instead of imported as none. */
export class Tally {
  readable = 0;
  unreadable = 0;
  firstFault: string | undefined;

  /** Notes an unreadable record; yields it unless the list is long already. */
  *fault(where: string, why: string): Generator<ReportRecord> {
    this.unreadable += 1;
    this.firstFault ??= `${where}: ${why}`;
    if (this.unreadable <= LIMITS.unreadable) yield { kind: 'unreadable', where, why };
  }

  /** @throws ReportError when records were there and not one could be read */
  assertReadable(refuse: (reason: string) => ReportError): void {
    if (this.readable === 0 && this.unreadable > 0) throw refuse(this.firstFault ?? 'no record could be read');
  }
}

interface RecordSource<T> {
  report: JsonReport;
  ranges: Ranges;
  /** Name of the list in messages: `results`. */
  list: string;
  check: RecordCheck<T>;
  tally: Tally;
  signal: AbortSignal;
}

/** Parses, checks and hands on one record after the other; what cannot be read is listed and left out. */
export function* readRecords<T>(
  source: RecordSource<T>,
  normalise: (record: T, index: number) => Iterable<ReportRecord> | ReportRecord | undefined,
): Generator<ReportRecord> {
  const { ranges, list, check, tally, signal } = source;
  for (let index = 0; index < ranges.length; index += 1) {
    if (index % 256 === 0) signal.throwIfAborted();
    const read = parseRecord(source.report.bytes, ranges.start(index), ranges.end(index));
    if ('fault' in read) {
      yield* tally.fault(`${list}[${index}]`, read.fault);
    } else if (!check.accepts(read.value)) {
      yield* tally.fault(`${list}[${index}]`, check.fault());
    } else {
      tally.readable += 1;
      const made = normalise(read.value, index);
      if (made === undefined) continue;
      if (Symbol.iterator in made) yield* made;
      else yield made;
    }
  }
}

export function parseRecord(bytes: Buffer, from: number, end: number): { value: unknown } | { fault: string } {
  if (end - from > LIMITS.recordBytes) return { fault: 'is larger than 32 MB' };
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', from, end));
    return { value };
  } catch {
    return { fault: 'is not valid JSON' };
  }
}

/** Lines of a JSON-lines report that could not be read. */
export function* brokenLines(report: JsonReport, tally: Tally): Generator<ReportRecord> {
  for (const { line, why } of report.brokenLines) yield* tally.fault(`line ${line}`, why);
}

/** The refusal of another tool's report. */
export function wrongTool(tool: string, guess: string | undefined, reason: string): ReportError {
  const hint =
    guess === undefined ? `Check that it was written by ${tool} as JSON.` : `It looks like a report of ${guess}.`;
  return new ReportError('report_wrong_tool', `This is not a report of ${tool}: ${reason}. ${hint}`);
}

/** @throws ReportError report_wrong_tool when the file shows the marks of another tool. `own` is its name in known-tools.ts. */
export function refuseForeign(bytes: Uint8Array, own: string): void {
  const guess = guessTool(bytes);
  if (guess !== undefined && guess !== own) {
    throw new ReportError(
      'report_wrong_tool',
      `This is not a report of ${own}: it looks like one of ${guess}. Choose that tool and upload it again.`,
    );
  }
}
