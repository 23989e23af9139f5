import { type ParseOptions, ReportError, type ReportRecord } from '@breakwater/sdk';
import { ByteWindow } from '../input/byte-window.ts';
import { LIMITS } from '../limits.ts';
import type { RecordCheck } from '../values/schema.ts';
import { type Elements as ElementsOf, HeldRecords } from './held-records.ts';
import { type JsonFormat, parseRecord, refuseForeign, Tally, wrongTool } from './records.ts';
import { type PartPath, parseAll, RepeatedParts } from './repeated-parts.ts';
import { type JsonNode, malformed } from './report.ts';
import { JsonError, JsonSkip, skipSpace } from './scan.ts';
import { type Batch, JsonStream, type RecordPlace, type RecordSink } from './stream.ts';

/** Bytes by which reports are told apart. */
const HEAD_BYTES = 64 * 1024;

/** Says of a record that what it refers to has not been read yet; it is asked for again at the end of the document. */
export const LATER: unique symbol = Symbol('later');

export type Made = Iterable<ReportRecord> | ReportRecord | undefined;

/** How the records of one list are read. */
export interface RecordReader<T> {
  check: RecordCheck<T>;
  read(record: T): Made | typeof LATER;
}

/** A list that others refer to by place: nothing of it is a record. */
export interface LookupReader {
  /** Called with each element in turn; undefined stands for one that is not valid JSON. */
  keep(value: unknown): void;
}

/** The reader of a list that `node` holds; `node` is undefined for records that stand alone. */
type ReaderOf = (node: JsonNode | undefined) => RecordReader<unknown> | LookupReader | typeof LATER;

/** What one importer makes of a report that passes by. */
export interface StreamReader {
  /** By name of the list in the format's shape; `report` is that of the records that stand alone. */
  lists: Readonly<Record<string, ReaderOf>>;
  /** By name of the list: parts of its records that many of them repeat. Each is read once; nobody may change what is read. */
  repeated?: Readonly<Record<string, readonly PartPath[]>>;
  /** Called with each whole report after its records. @throws ReportError */
  document(node: JsonNode): Iterable<ReportRecord>;
  /** Called at the end of the file. @throws ReportError */
  end?(): void;
}

/** A report on its way, of which the first bytes have been looked at. */
export interface OpenReport {
  window: ByteWindow;
  head: Buffer;
}

/** @returns undefined for an empty or blank report */
export async function openReport(
  report: AsyncIterable<Uint8Array>,
  { signal }: ParseOptions,
): Promise<OpenReport | undefined> {
  const window = new ByteWindow(report, signal);
  await window.fill(HEAD_BYTES);
  while (window.at === window.end || skipSpace(window.bytes, window.at, window.end) === window.end) {
    window.at = window.end;
    if (!(await window.more())) return undefined;
  }
  return { window, head: Buffer.from(window.bytes.subarray(window.at, Math.min(window.end, window.at + HEAD_BYTES))) };
}

/**
 * The frame of an importer that reads JSON while it arrives: takes it apart, refuses what shows another tool's marks, reads,
 * lists broken lines, and refuses a report in which nothing could be read.
 * @throws ReportError
 */
export async function* streamJson(
  { window, head }: OpenReport,
  { name, shape }: JsonFormat,
  signal: AbortSignal,
  createReader: (tally: Tally) => StreamReader,
): AsyncGenerator<Batch> {
  const tally = new Tally();
  const sink = new ReaderSink(createReader(tally), tally, () => refuseForeign(head, name));
  const stream = new JsonStream(window, shape, sink);
  try {
    for await (const batch of stream.run()) {
      signal.throwIfAborted();
      yield batch;
    }
  } catch (error) {
    if (error instanceof JsonError) throw malformed(head, error, window.place(error.position));
    throw error;
  } finally {
    await window.close();
  }
  sink.end();
  for (const { line, why } of stream.brokenLines) yield tally.fault(`line ${line}`, why);
  tally.assertReadable((reason) => wrongTool(name, undefined, reason));
}

/** @throws ReportError report_empty */
export function emptyReport(): ReportError {
  return new ReportError('report_empty', 'The file is empty. Check that the scanner finished and wrote its report.');
}

type Elements = ElementsOf<RecordPlace>;

const NONE: readonly ReportRecord[] = [];

class ReaderSink implements RecordSink {
  private readonly reader: StreamReader;
  private readonly tally: Tally;
  private readonly held = new HeldRecords<RecordPlace>();
  private readonly refuse: () => void;
  private readonly parts = new Map<string, RepeatedParts>();
  private isOwn = false;

  constructor(reader: StreamReader, tally: Tally, refuse: () => void) {
    this.reader = reader;
    this.tally = tally;
    this.refuse = refuse;
  }

  /** @throws ReportError report_wrong_tool */
  private assertOwn(): void {
    if (!this.isOwn) this.refuse();
    this.isOwn = true;
  }

  end(): void {
    this.assertOwn();
    this.reader.end?.();
  }

  elements(place: RecordPlace, bytes: Buffer, count: number): Batch {
    this.assertOwn();
    const elements = { place, index: place.index, count, bytes, isCut: false };
    place.index += count;
    if (!place.isHeld) return this.read(elements);
    this.held.add(elements);
    return NONE;
  }

  guess(place: RecordPlace, bytes: Buffer, depth: number): { made: Batch; count: number } | undefined {
    const levels = LIMITS.depth - depth + 1;
    const parts = this.partsOf(place.list);
    const cut = parts.cut(bytes);
    const found = parts.read(cut, levels);
    const values = found ?? (cut.cuts === 0 ? undefined : parts.read({ bytes, cuts: 0 }, levels));
    if (values === undefined) return undefined;
    this.assertOwn();
    const { index } = place;
    const count = values.length;
    place.index += count;
    if (!place.isHeld) return { made: this.read({ place, index, count, bytes, isCut: false }, values), count };
    this.hold({ place, index, count, bytes: found === undefined ? bytes : cut.bytes, isCut: found !== undefined });
    return { made: NONE, count };
  }

  oversize(place: RecordPlace): Batch {
    place.index += 1;
    return this.tally.fault(`${place.list}[${place.index - 1}]`, 'is larger than 32 MB');
  }

  *document(node: JsonNode): Generator<Batch> {
    this.assertOwn();
    for (const elements of this.held.take()) yield this.read(elements);
    yield this.reader.document(node);
  }

  private read(elements: Elements, known?: readonly unknown[]): ReportRecord[] {
    const { place, index, count, bytes, isCut } = elements;
    const made: ReportRecord[] = [];
    const reader = this.reader.lists[place.list]?.(place.node);
    if (reader === undefined) return made;
    if (reader === LATER) {
      this.hold(elements);
      return made;
    }
    const values = known ?? (isCut ? this.partsOf(place.list).readAgain(bytes) : parseElements(bytes));
    if ('keep' in reader) {
      for (const value of values) reader.keep(value instanceof Unreadable ? undefined : value);
      return made;
    }
    for (let n = 0; n < values.length; n += 1) {
      const found = this.one(reader, place, values[n], index + n);
      if (found === LATER) {
        this.hold({ place, index: index + n, count: count - n, bytes: elementsFrom(bytes, n), isCut });
        break;
      }
      if (found === undefined) continue;
      if (Symbol.iterator in found) made.push(...found);
      else made.push(found);
    }
    return made;
  }

  private hold(elements: Elements): void {
    elements.place.isHeld = true;
    this.held.add(elements);
  }

  private partsOf(list: string): RepeatedParts {
    const known = this.parts.get(list);
    if (known !== undefined) return known;
    const parts = new RepeatedParts(this.reader.repeated?.[list] ?? []);
    this.parts.set(list, parts);
    return parts;
  }

  private one(reader: RecordReader<unknown>, { list }: RecordPlace, value: unknown, index: number) {
    const { tally } = this;
    if (value instanceof Unreadable) return tally.fault(`${list}[${index}]`, value.why);
    if (!reader.check.accepts(value)) return tally.fault(`${list}[${index}]`, reader.check.fault());
    const found = reader.read(value);
    if (found !== LATER) tally.readable += 1;
    return found;
  }
}

/** In the place of a record that is not valid JSON. */
class Unreadable {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

/** Values of whole elements: all at once, which is fast, or one by one when one of them is not valid. */
function parseElements(bytes: Buffer): readonly unknown[] {
  const all = parseAll(bytes);
  if (all !== undefined) return all;
  const values: unknown[] = [];
  for (const [start, end] of elementRanges(bytes)) {
    const read = parseRecord(bytes, start, end);
    values.push('fault' in read ? new Unreadable(read.fault) : read.value);
  }
  return values;
}

function elementsFrom(bytes: Buffer, skipped: number): Buffer {
  if (skipped === 0) return bytes;
  let index = 0;
  for (const [start] of elementRanges(bytes)) {
    if (index === skipped) return bytes.subarray(start);
    index += 1;
  }
  return bytes.subarray(bytes.length);
}

function* elementRanges(bytes: Buffer): Generator<readonly [start: number, end: number]> {
  const skip = new JsonSkip();
  for (let at = 0; at < bytes.length; at = skipSpace(bytes, skipSpace(bytes, at, bytes.length) + 1, bytes.length)) {
    skip.begin(0);
    const stop = skip.run(bytes, at, bytes.length);
    const end = stop < 0 ? bytes.length : stop;
    yield [at, end];
    at = end;
  }
}
