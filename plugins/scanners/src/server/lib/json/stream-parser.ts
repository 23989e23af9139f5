import { type ParseOptions, ReportError, type ReportRecord } from '@breakwater/sdk';
import { ByteWindow } from '../input/byte-window.ts';
import { LIMITS } from '../limits.ts';
import type { RecordCheck } from '../values/schema.ts';
import { type Elements as ElementsOf, HeldRecords } from './held-records.ts';
import {
  type Batch,
  hasTooManyKeys,
  isDeeper,
  type JsonFormat,
  KEY_BYTES,
  parseAll,
  parseRecord,
  type RecordPlace,
  type RecordSink,
  recordsOf,
  Tally,
  TOO_MANY_KEYS,
  wrongTool,
} from './records.ts';
import { type JsonNode, malformed } from './report.ts';
import { JsonError, JsonSkip, skipSpace, tooDeep } from './scan.ts';
import { JsonStream } from './stream.ts';

/** Bytes by which reports are told apart. */
const HEAD_BYTES = 64 * 1024;

/** Says of a record that what it refers to has not been read yet; it is asked for again when its part of the report has ended. */
export const LATER: unique symbol = Symbol('later');

export type Made = Iterable<ReportRecord> | ReportRecord | undefined;

/** How the records of one list are read. */
export interface RecordReader<T> {
  check: RecordCheck<T>;
  read(record: T, index: number): Made | typeof LATER;
  /** True for records that only complete others: whether they can be read does not tell whether the report can. */
  isSupplement?: boolean;
}

/** A list that others refer to by place: nothing of it is a record. */
export interface LookupReader {
  /** Called with each element in turn; undefined stands for one that is not valid JSON. */
  keep(value: unknown): void;
}

/** The reader of a list that `node` holds; `node` is undefined for records that stand alone. */
export type ReaderOf = (node: JsonNode | undefined) => RecordReader<unknown> | LookupReader | typeof LATER;

/** What one importer makes of a report that passes by. */
export interface StreamReader {
  /** By name of the list in the format's shape; `report` is that of the records that stand alone. */
  lists: Readonly<Record<string, ReaderOf>>;
  /** By name of the list: called with the text of its elements before they are read, also of those that have to wait. */
  survey?: Readonly<Record<string, (node: JsonNode | undefined, elements: Buffer) => void>>;
  /** Called with each whole report before the records that waited for its end. @throws ReportError */
  frame?(node: JsonNode): Iterable<ReportRecord>;
  /** Called with each whole report after its records. @throws ReportError */
  document?(node: JsonNode): Iterable<ReportRecord>;
  /** Called at the end of the file. @throws ReportError */
  end?(): Iterable<ReportRecord>;
}

/** The reader of a tool whose records stand alone: in an array or on lines. */
export function recordsAlone<T>(
  toolName: string,
  check: RecordCheck<T>,
  read: (record: T) => Made,
): StreamReader & { lists: { report: ReaderOf } } {
  const reader = { check, read: (record: T) => read(record) };
  return { lists: { report: () => reader }, end: () => [{ kind: 'report', toolName }] };
}

/** A report on its way, of which the first bytes have been looked at. */
export interface OpenReport {
  window: ByteWindow;
  head: Buffer;
}

export interface ReadOptions {
  /** True where the tool writes nothing when it found nothing. */
  emptyMeansNone?: boolean;
  /** Bytes in front of the report that do not belong to it. */
  skip?(head: Buffer): number;
}

/**
 * Reads a report while it arrives, as soon as its first bytes are there.
 * @throws ReportError
 */
export function readOpened(
  report: AsyncIterable<Uint8Array>,
  { signal }: ParseOptions,
  { emptyMeansNone = false, skip }: ReadOptions,
  read: (opened: OpenReport) => AsyncGenerator<Batch>,
): AsyncIterable<ReportRecord> {
  async function* batches(): AsyncGenerator<Batch> {
    const window = new ByteWindow(report, signal);
    await window.fill(HEAD_BYTES);
    window.at += skip?.(headOf(window)) ?? 0;
    if (await hasMore(window)) yield* read({ window, head: Buffer.from(headOf(window)) });
    else if (!emptyMeansNone)
      throw new ReportError('report_empty', 'The file is empty. Check that the scanner finished and wrote its report.');
  }
  return recordsOf(batches());
}

const headOf = ({ bytes, at, end }: ByteWindow): Buffer => bytes.subarray(at, Math.min(end, at + HEAD_BYTES));

/** False when nothing but white space is left. */
async function hasMore(window: ByteWindow): Promise<boolean> {
  while (window.at === window.end || skipSpace(window.bytes, window.at, window.end) === window.end) {
    window.at = window.end;
    if (!(await window.more())) return false;
  }
  return true;
}

/**
 * Reads the JSON of one tool while it arrives.
 * @throws ReportError
 */
export const readJson = (
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
  format: JsonFormat & ReadOptions,
  createReader: (tally: Tally) => StreamReader,
): AsyncIterable<ReportRecord> =>
  readOpened(report, options, format, (opened) => streamJson(opened, format, options.signal, createReader));

/**
 * The frame of an importer that reads JSON: takes the report apart while it arrives, reads, lists broken lines, and refuses a report
 * in which nothing could be read, or which is no way in which the tool says that it found nothing.
 * @throws ReportError
 */
export async function* streamJson(
  { window, head }: OpenReport,
  format: JsonFormat,
  signal: AbortSignal,
  createReader: (tally: Tally) => StreamReader,
): AsyncGenerator<Batch> {
  const tally = new Tally();
  const sink = new ReaderSink(createReader(tally), tally);
  const stream = new JsonStream(window, format, sink);
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
  const { emptyForm, brokenLines } = stream;
  if (emptyForm !== undefined && format.emptyForms?.includes(emptyForm) !== true)
    throw wrongTool(format.name, `it holds nothing but “${emptyForm}”, which ${format.name} does not write`);
  yield sink.end();
  for (const { line, why } of brokenLines) yield tally.addUnreadable(`line ${line}`, why);
  tally.assertReadable((reason) => wrongTool(format.name, reason));
}

type Elements = ElementsOf<RecordPlace>;

const NONE: readonly ReportRecord[] = [];

class ReaderSink implements RecordSink {
  private readonly reader: StreamReader;
  private readonly tally: Tally;
  private readonly supplements = new Tally();
  private readonly held = new HeldRecords<RecordPlace>();

  constructor(reader: StreamReader, tally: Tally) {
    this.reader = reader;
    this.tally = tally;
  }

  end(): Batch {
    return this.reader.end?.() ?? NONE;
  }

  elements(place: RecordPlace, bytes: Buffer, count: number): Batch {
    const elements = { place, index: place.index, count, bytes };
    place.index += count;
    this.reader.survey?.[place.list]?.(place.node, bytes);
    if (!place.isHeld) return this.read(elements);
    this.held.add(elements);
    return NONE;
  }

  guess(place: RecordPlace, bytes: Buffer, depth: number): { made: Batch; count: number } | undefined {
    const values = parseAll(bytes);
    if (values === undefined) return undefined;
    if (isDeeper(values, LIMITS.depth - depth + 1)) throw tooDeep();
    const { index } = place;
    const count = values.length;
    place.index += count;
    this.reader.survey?.[place.list]?.(place.node, bytes);
    if (!place.isHeld) return { made: this.read({ place, index, count, bytes }, values), count };
    this.hold({ place, index, count, bytes });
    return { made: NONE, count };
  }

  isLookup({ list, node }: RecordPlace): boolean {
    const reader = this.reader.lists[list]?.(node);
    return typeof reader === 'object' && 'keep' in reader;
  }

  values(place: RecordPlace, values: readonly unknown[]): Batch {
    const { index } = place;
    place.index += values.length;
    const elements = {
      place,
      index,
      count: values.length,
      // Only what has to wait is written out again.
      get bytes() {
        return Buffer.from(JSON.stringify(values).slice(1, -1));
      },
    };
    const survey = this.reader.survey?.[place.list];
    if (survey !== undefined) survey(place.node, elements.bytes);
    return this.read(elements, values, true);
  }

  oversize(place: RecordPlace): Batch {
    place.index += 1;
    return this.tally.addUnreadable(whereOf(place, place.index - 1), 'is larger than 32 MB');
  }

  closed(node: JsonNode): Batch | undefined {
    if (!this.held.has(node)) return undefined;
    const isWaiting = [...node.lists].some((list) => this.reader.lists[list]?.(node) === LATER);
    return isWaiting ? undefined : this.readHeld(this.held.take(node));
  }

  *document(node: JsonNode): Generator<Batch> {
    const { reader } = this;
    if (reader.frame !== undefined) yield reader.frame(node);
    for (const elements of this.held.takeAll()) yield this.read(elements);
    if (reader.document !== undefined) yield reader.document(node);
  }

  private *readHeld(held: Iterable<Elements>): Generator<ReportRecord> {
    for (const elements of held) yield* this.read(elements);
  }

  /** @param known the values, where they are read already @param mayHoldTooMuch false where the bytes are too few for too many keys */
  private read(
    elements: Elements,
    known?: readonly unknown[],
    mayHoldTooMuch = elements.bytes.length >= LIMITS.recordKeys * KEY_BYTES,
  ): ReportRecord[] {
    const { place, index, count } = elements;
    const made: ReportRecord[] = [];
    const reader = this.reader.lists[place.list]?.(place.node);
    if (reader === undefined) return made;
    if (reader === LATER) {
      this.hold(elements);
      return made;
    }
    const values = known ?? parseElements(elements.bytes);
    if ('keep' in reader) {
      for (const value of values) reader.keep(value instanceof Unreadable ? undefined : value);
      return made;
    }
    for (let n = 0; n < values.length; n += 1) {
      const found = this.one(reader, { place, mayHoldTooMuch }, values[n], index + n);
      if (found === LATER) {
        this.hold({ place, index: index + n, count: count - n, bytes: elementsFrom(elements.bytes, n) });
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

  private one(
    reader: RecordReader<unknown>,
    { place, mayHoldTooMuch }: { place: RecordPlace; mayHoldTooMuch: boolean },
    value: unknown,
    index: number,
  ) {
    const tally = reader.isSupplement === true ? this.supplements : this.tally;
    if (value instanceof Unreadable) return tally.addUnreadable(whereOf(place, index), value.why);
    if (mayHoldTooMuch && hasTooManyKeys(value)) return tally.addUnreadable(whereOf(place, index), TOO_MANY_KEYS);
    if (!reader.check.accepts(value)) return tally.addUnreadable(whereOf(place, index), reader.check.issue());
    const found = reader.read(value, index);
    if (found !== LATER) tally.readable += 1;
    return found;
  }
}

/** Place of a record in the report: `runs[0].results[3]`. */
function whereOf({ node, list }: RecordPlace, index: number): string {
  const path = node?.path ?? '';
  return `${path === '' ? '' : `${path}.`}${list}[${index}]`;
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
    values.push('issue' in read ? new Unreadable(read.issue) : read.value);
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
