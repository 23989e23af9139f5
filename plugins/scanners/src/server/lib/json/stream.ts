import type { ReportRecord } from '@breakwater/sdk';
import type { ByteWindow } from '../input/byte-window.ts';
import { LIMITS } from '../limits.ts';
import { JsonCursor, Separator, tooLarge } from './cursor.ts';
import { indexLines, JsonNode, type JsonPart, type JsonShape, Ranges, tooMany } from './report.ts';
import { CLOSE_OBJECT, COLON, COMMA, JsonError, OPEN_ARRAY, OPEN_OBJECT, QUOTE, skipSpace, tooDeep } from './scan.ts';

/** Bytes that are looked at for whole records at once; more do not fit beside their values in the caches of a processor. */
const BATCH_BYTES = 96 * 1024;
const NEWLINE = 0x0a;

/** A list of records that is being read. */
export interface RecordPlace {
  /** The object that holds the list; undefined for records that stand alone. */
  readonly node: JsonNode | undefined;
  readonly list: string;
  /** Records seen so far. */
  index: number;
  /** True when its records wait for the end of the document. */
  isHeld: boolean;
}

/** Takes what the stream finds, in the order of the report. */
export interface RecordSink {
  /** `count` whole elements with commas between them; the bytes may change after the call. */
  elements(place: RecordPlace, bytes: Buffer, count: number): Batch;
  /**
   * As `elements`, for bytes of which it is only likely that they are whole elements. Returns how many they were, or undefined
   * when they were not.
   */
  guess(place: RecordPlace, bytes: Buffer, depth: number): { made: Batch; count: number } | undefined;
  /** A record that is too large to be read. */
  oversize(place: RecordPlace): Batch;
  /** A whole report has ended: nothing is added to its nodes any more. */
  document(node: JsonNode): Iterable<Batch>;
}

/**
 * Takes a report apart while it arrives, as `indexJson` does with one in memory: the same forms, faults and limits. Records go
 * to the sink as soon as they are whole; only the frame around them is kept.
 */
export class JsonStream extends JsonCursor {
  readonly brokenLines: { line: number; why: string }[] = [];
  private readonly shape: JsonShape;
  private readonly sink: RecordSink;
  private readonly loose: RecordPlace = { node: undefined, list: 'report', index: 0, isHeld: false };
  private documents = 0;
  private nodes = 0;
  private recordCount = 0;

  constructor(window: ByteWindow, shape: JsonShape, sink: RecordSink) {
    super(window);
    this.shape = shape;
    this.sink = sink;
  }

  /** @throws JsonError with a position in the window, ReportError report_too_complex */
  async *run(): AsyncGenerator<Batch> {
    const { window } = this;
    await this.space();
    const isObject = this.byte() === OPEN_OBJECT;
    const { line } = window.place(window.at);
    yield* this.document(true);
    const stopLine = window.place(window.at).line;
    await this.space();
    if (this.byte() === undefined) return;
    // More than one value. Records on lines of their own are JSON lines, where one bad line costs only itself;
    // anything else is one value after the other.
    const isOneLine = line === stopLine && window.place(window.at).line > line;
    if (isObject && isOneLine && this.documents === 0) yield* this.lines();
    else
      while (this.byte() !== undefined) {
        yield* this.document(false);
        await this.space();
      }
  }

  /** One top-level value. */
  private async *document(isFirst: boolean): AsyncGenerator<Batch> {
    const first = this.byte();
    if (first === OPEN_OBJECT) yield* this.topObject(0);
    else if (first === OPEN_ARRAY) {
      for (let more = await this.firstElement(); more; more = await this.nextElement()) yield* this.topElement();
    } else {
      // Some tools write `null` for "nothing found"; no report is a bare number or text.
      const fault = this.unexpected();
      if (!isFirst || first === QUOTE || (await this.value(0)) !== null) throw fault;
    }
  }

  private async *topElement(): AsyncGenerator<Batch> {
    if (this.byte() === OPEN_OBJECT) yield* this.topObject(1);
    else yield this.record(this.loose, await this.kept(1));
  }

  private async *topObject(depth: number): AsyncGenerator<Batch> {
    const { window } = this;
    const node = new JsonNode(0);
    // Kept as a record until a known field shows that it is a whole report.
    window.mark = window.at;
    yield* this.object(node, this.shape, depth);
    if (node.isKnown) {
      this.documents += 1;
      this.countNode();
      yield* this.sink.document(node);
    } else {
      yield this.record(this.loose, window.mark >= 0);
      window.mark = -1;
    }
  }

  /** Hands on the record from the mark to here. */
  private record(place: RecordPlace, isWhole: boolean): Batch {
    const { window } = this;
    this.countRecords(1);
    const made = isWhole
      ? this.sink.elements(place, window.bytes.subarray(window.mark, window.at), 1)
      : this.sink.oversize(place);
    window.mark = -1;
    return made;
  }

  private async *object(node: JsonNode, shape: JsonShape, depth: number): AsyncGenerator<Batch> {
    if (depth >= LIMITS.depth) throw tooDeep();
    const { window } = this;
    window.at += 1;
    await this.space();
    for (let isFirst = true; this.byte() !== CLOSE_OBJECT || !isFirst; isFirst = false) {
      const key = await this.key();
      await this.space();
      if (this.byte() !== COLON) throw this.unexpected();
      window.at += 1;
      await this.space();
      const part = Object.hasOwn(shape, key) ? shape[key] : undefined;
      if (part === undefined) await this.skip(depth + 1);
      else yield* this.part(node, key, part, depth + 1);
      await this.space();
      if (this.byte() === CLOSE_OBJECT) break;
      if (this.byte() !== COMMA) throw this.unexpected();
      window.at += 1;
      await this.space();
    }
    window.at += 1;
    node.isClosed = true;
  }

  private async *part(node: JsonNode, key: string, part: JsonPart, depth: number): AsyncGenerator<Batch> {
    this.window.mark = -1;
    const first = this.byte();
    if (part === 'records' && first === OPEN_ARRAY) {
      node.records.set(key, new Ranges());
      yield* this.records({ node, list: key, index: 0, isHeld: false }, depth + 1);
    } else if (typeof part === 'object' && 'each' in part && first === OPEN_ARRAY) {
      const children: JsonNode[] = [];
      node.children.set(key, children);
      for (let more = await this.firstElement(); more; more = await this.nextElement())
        yield* this.child(node, children, part.each, depth + 1);
    } else if (typeof part === 'object' && 'object' in part && first === OPEN_OBJECT) {
      const children: JsonNode[] = [];
      node.children.set(key, children);
      yield* this.child(node, children, part.object, depth);
    } else if (part === 'value') node.values.set(key, await this.value(depth));
    // `"results": null` is how some languages write an empty list.
    else if (first !== 0x6e) await this.skip(depth);
    else if ((await this.value(depth)) === null) node.records.set(key, new Ranges());
  }

  private async *child(parent: JsonNode, children: JsonNode[], shape: JsonShape, depth: number): AsyncGenerator<Batch> {
    if (this.byte() !== OPEN_OBJECT) {
      await this.skip(depth);
      return;
    }
    const node = new JsonNode(0, parent);
    this.countNode();
    children.push(node);
    yield* this.object(node, shape, depth);
  }

  /** The elements of the list that starts here, as many at once as the window holds. */
  private async *records(place: RecordPlace, depth: number): AsyncGenerator<Batch> {
    const { window } = this;
    const separator = new Separator();
    for (let more = await this.firstElement(); more; more = await this.nextElement()) {
      await window.fill(BATCH_BYTES);
      const guessed = this.guess(place, separator, depth);
      if (guessed !== undefined) {
        yield guessed;
        continue;
      }
      const { stop, count } = this.wholeElements(depth, separator);
      if (count === 0) {
        yield this.record(place, await this.kept(depth));
        continue;
      }
      this.countRecords(count);
      const bytes = window.bytes.subarray(window.at, stop);
      window.at = stop;
      yield this.sink.elements(place, bytes, count);
    }
  }

  /** Elements up to the last place that looks like the start of one: JSON.parse tells whether it is. */
  private guess(place: RecordPlace, separator: Separator, depth: number): Batch | undefined {
    const { window } = this;
    const bytes = window.bytes.subarray(window.at, window.end);
    const stop = separator.lastIn(bytes);
    if (stop <= 0) return undefined;
    const guessed = this.sink.guess(place, bytes.subarray(0, stop), depth);
    if (guessed === undefined) {
      separator.hasFailed();
      return undefined;
    }
    this.countRecords(guessed.count);
    window.at += stop;
    return guessed.made;
  }

  /** Elements that stand whole in the window, and where the last of them ends. */
  private wholeElements(depth: number, separator: Separator): { stop: number; count: number } {
    const { window, skipper } = this;
    const { bytes, end } = window;
    let count = 0;
    let stop = window.at;
    for (let at = stop; at < end; ) {
      skipper.begin(depth);
      const after = skipper.run(bytes, at, end);
      if (after < 0) break;
      stop = after;
      count += 1;
      at = skipSpace(bytes, after, end);
      // The end of the list, the end of the window, and faults are the caller's.
      if (bytes[at] !== COMMA) break;
      at = skipSpace(bytes, at + 1, end);
      if (count === 1) separator.learn(bytes, stop, at, end);
    }
    return { stop, count };
  }

  /** JSON lines, as many at once as the window holds. */
  private async *lines(): AsyncGenerator<Batch> {
    const { window } = this;
    for (;;) {
      await window.fill(BATCH_BYTES);
      const stop = await this.lastLineEnd();
      if (stop === window.at) return;
      const { line } = window.place(window.at);
      const report = this.indexed(window.bytes.subarray(window.at, stop), line);
      this.countRecords(report.recordCount);
      this.nodes += report.nodes;
      window.at = stop;
      for (let index = 0; index < report.loose.length; index += 1)
        yield this.sink.elements(
          this.loose,
          report.bytes.subarray(report.loose.start(index), report.loose.end(index)),
          1,
        );
      for (const node of report.documents) yield* this.deliver(report.bytes, node);
    }
  }

  private indexed(lines: Buffer, line: number): ReturnType<typeof indexLines> {
    try {
      return indexLines(lines, this.shape, line, this.brokenLines);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      throw new JsonError(error.message, this.window.at + error.position);
    }
  }

  private async lastLineEnd(): Promise<number> {
    const { window } = this;
    for (let from = 0; ; ) {
      const newline = window.bytes.subarray(window.at + from, window.end).lastIndexOf(NEWLINE);
      if (newline >= 0) return window.at + from + newline + 1;
      if (window.isWhole) return window.end;
      from = window.end - window.at;
      if (from > LIMITS.valueBytes) throw tooLarge();
      await window.more();
    }
  }

  private *deliver(bytes: Buffer, root: JsonNode): Generator<Batch> {
    const visit = function* (sink: RecordSink, node: JsonNode): Generator<Batch> {
      node.isClosed = true;
      for (const [list, ranges] of node.records) {
        const place = { node, list, index: 0, isHeld: false };
        for (let index = 0; index < ranges.length; index += 1)
          yield sink.elements(place, bytes.subarray(ranges.start(index), ranges.end(index)), 1);
      }
      for (const children of node.children.values()) for (const child of children) yield* visit(sink, child);
    };
    yield* visit(this.sink, root);
    yield* this.sink.document(root);
  }

  private countNode(): void {
    this.nodes += 1;
    if (this.nodes > LIMITS.nodes) throw tooMany();
  }

  private countRecords(count: number): void {
    this.recordCount += count;
    if (this.recordCount > LIMITS.records) throw tooMany();
  }
}

/** Some records of a report, in order. */
export type Batch = Iterable<ReportRecord>;

/** The records of the batches one by one. Only a new batch is waited for: waits per record cost more than some records. */
export function recordsOf(batches: AsyncGenerator<Batch>): AsyncIterable<ReportRecord> {
  return { [Symbol.asyncIterator]: () => new Records(batches) };
}

type Step = IteratorResult<ReportRecord, undefined>;
const END: Step = { done: true, value: undefined };

class Records implements AsyncIterator<ReportRecord, undefined> {
  private readonly batches: AsyncGenerator<Batch>;
  private batch: Iterator<ReportRecord> | undefined;

  constructor(batches: AsyncGenerator<Batch>) {
    this.batches = batches;
  }

  next(): Promise<Step> {
    const step = this.batch?.next();
    return step === undefined || step.done === true ? this.nextBatch() : Promise.resolve(step);
  }

  async return(): Promise<Step> {
    this.batch = undefined;
    await this.batches.return(undefined);
    return END;
  }

  private async nextBatch(): Promise<Step> {
    for (;;) {
      const found = await this.batches.next();
      if (found.done === true) return END;
      this.batch = found.value[Symbol.iterator]();
      const step = this.batch.next();
      if (step.done !== true) return step;
    }
  }
}
