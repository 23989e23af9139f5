import { ByteWindow, piecesOf } from '../input/byte-window.ts';
import { LIMITS } from '../limits.ts';
import { isRecord } from '../values/read.ts';
import { JsonCursor, NEWLINE, Separator } from './cursor.ts';
import { type Batch, type EmptyForm, type JsonFormat, parseAll, type RecordPlace, type RecordSink } from './records.ts';
import { JsonNode, type JsonPart, type JsonShape, type Taking, takeApart, tooMany } from './report.ts';
import { CLOSE_OBJECT, COLON, COMMA, JsonError, OPEN_ARRAY, OPEN_OBJECT, QUOTE, skipSpace, tooDeep } from './scan.ts';

/** Bytes that are looked at for whole records at once; more do not fit beside their values in the caches of a processor. */
const BATCH_BYTES = 96 * 1024;

interface RecordList {
  readonly place: RecordPlace;
  readonly values: readonly unknown[];
}

const always = (): boolean => true;

/**
 * Takes a report apart while it arrives: one report, an array of reports or of records, and the same as JSON lines or simply one
 * after the other. Records go to the sink as soon as they are whole; only the frame around them is kept.
 */
export class JsonStream extends JsonCursor {
  readonly brokenLines: { line: number; why: string }[] = [];
  /** Set when nothing else has been seen. */
  emptyForm: EmptyForm | undefined;
  private readonly format: JsonFormat;
  private readonly sink: RecordSink;
  /** Names of the frame, as they are written. */
  private readonly keys: readonly Buffer[];
  private readonly loose: RecordPlace;
  private documents = 0;
  private nodes = 0;
  private recordCount = 0;

  constructor(window: ByteWindow, format: JsonFormat, sink: RecordSink, loose?: RecordPlace) {
    super(window);
    this.format = format;
    this.sink = sink;
    this.keys = Object.keys(format.shape).map((key) => Buffer.from(`"${key}"`));
    this.loose = loose ?? { node: undefined, list: 'report', index: 0, isHeld: false };
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
    this.emptyForm = undefined;
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
      this.emptyForm = '[]';
      const separator = new Separator();
      for (let more = await this.firstElement(); more; more = await this.nextElement()) {
        this.emptyForm = undefined;
        await this.window.fill(BATCH_BYTES);
        const batch = this.batch(this.loose, separator, 1, this.hasNoKey);
        if (batch !== undefined) yield batch;
        else yield* this.topElement();
      }
    } else {
      // Some tools write `null` for "nothing found"; no report is a bare number or text.
      const error = this.unexpected();
      if (!isFirst || first === QUOTE || (await this.value(0)) !== null) throw error;
      this.emptyForm = 'null';
    }
  }

  private async *topElement(): AsyncGenerator<Batch> {
    if (this.byte() === OPEN_OBJECT) yield* this.topObject(1);
    else yield this.record(this.loose, await this.kept(1));
  }

  private async *topObject(depth: number): AsyncGenerator<Batch> {
    const { window } = this;
    const node = new JsonNode();
    // Kept as a record until a known field shows that it is a whole report.
    window.mark = window.at;
    yield* this.object(node, this.format.shape, depth);
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
      node.lists.add(key);
      yield* this.records({ node, list: key, index: 0, isHeld: false }, depth + 1);
    } else if (typeof part === 'object' && 'each' in part && first === OPEN_ARRAY) {
      const children = node.addChildren(key, true);
      for (let more = await this.firstElement(); more; more = await this.nextElement()) {
        await this.window.fill(BATCH_BYTES);
        const whole = this.wholeChildren({ parent: node, key, shape: part.each }, children, depth + 1);
        if (whole !== undefined) yield whole;
        else yield* this.child(new JsonNode(node, key), children, part.each, depth + 1);
      }
    } else if (typeof part === 'object' && 'object' in part && first === OPEN_OBJECT) {
      yield* this.child(new JsonNode(node, key), node.addChildren(key, false), part.object, depth);
    } else if (part === 'value') node.values.set(key, await this.value(depth));
    else if (first !== 0x6e) await this.skip(depth);
    else if ((await this.value(depth)) === null) this.addNull(node, key);
  }

  private async *child(node: JsonNode, children: JsonNode[], shape: JsonShape, depth: number): AsyncGenerator<Batch> {
    if (this.byte() !== OPEN_OBJECT) {
      await this.skip(depth);
      return;
    }
    this.countNode();
    children.push(node);
    yield* this.object(node, shape, depth);
    const waited = this.sink.closed(node);
    if (waited !== undefined) yield waited;
  }

  /** The elements of the list that starts here, as many at once as the window holds. */
  private async *records(place: RecordPlace, depth: number): AsyncGenerator<Batch> {
    const { window } = this;
    const separator = new Separator();
    for (let more = await this.firstElement(); more; more = await this.nextElement()) {
      await window.fill(BATCH_BYTES);
      yield this.batch(place, separator, depth, always) ?? this.record(place, await this.kept(depth));
    }
  }

  /** The elements from here that stand whole in the window; undefined when none does, or when they are no records. */
  private batch(
    place: RecordPlace,
    separator: Separator,
    depth: number,
    areRecords: (bytes: Buffer) => boolean,
  ): Batch | undefined {
    const guessed = this.guess(place, separator, depth, areRecords);
    if (guessed !== undefined) return guessed;
    const { window } = this;
    const { stop, count } = this.wholeElements(depth, separator);
    const bytes = window.bytes.subarray(window.at, stop);
    if (count === 0 || !areRecords(bytes)) return undefined;
    this.countRecords(count);
    window.at = stop;
    return this.sink.elements(place, bytes, count);
  }

  /** True when none of the bytes can be a part of the frame. */
  private readonly hasNoKey = (bytes: Buffer): boolean => !this.keys.some((key) => bytes.includes(key));

  /** Elements up to the last place that looks like the start of one: JSON.parse tells whether it is. */
  private guess(
    place: RecordPlace,
    separator: Separator,
    depth: number,
    areRecords: (bytes: Buffer) => boolean,
  ): Batch | undefined {
    const { window } = this;
    const bytes = window.bytes.subarray(window.at, window.end);
    const stop = separator.lastIn(bytes);
    if (stop <= 0 || !areRecords(bytes.subarray(0, stop))) return undefined;
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
  private wholeElements(depth: number, separator?: Separator): { stop: number; count: number } {
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
      // The end of the list, the end of the window, and errors are the caller's.
      if (bytes[at] !== COMMA) break;
      at = skipSpace(bytes, at + 1, end);
      if (count === 1) separator?.learn(bytes, stop, at, end);
    }
    return { stop, count };
  }

  /** Objects of a list that stand whole in the window; undefined when the first of them does not. */
  private wholeChildren(
    { parent, key, shape }: { parent: JsonNode; key: string; shape: JsonShape },
    children: JsonNode[],
    depth: number,
  ): Batch | undefined {
    const { window } = this;
    const { stop, count } = this.wholeElements(depth);
    const values = count === 0 ? undefined : parseAll(window.bytes.subarray(window.at, stop));
    if (values === undefined) return undefined;
    window.at = stop;
    const lists: RecordList[] = [];
    const taking: Taking = {
      node: () => this.countNode(),
      list: (node, list, records) => {
        this.countRecords(records.length);
        lists.push({ place: { node, list, index: 0, isHeld: false }, values: records });
      },
      nothing: (node, list) => this.addNull(node, list),
    };
    for (const value of values) {
      if (!isRecord(value)) continue;
      const node = new JsonNode(parent, key);
      children.push(node);
      takeApart(node, value, shape, taking);
    }
    return this.allOf(lists);
  }

  private *allOf(lists: readonly RecordList[]): Batch {
    // What the others refer to comes first.
    for (const { place, values } of lists) if (this.sink.isLookup(place)) yield* this.sink.values(place, values);
    for (const { place, values } of lists) if (!this.sink.isLookup(place)) yield* this.sink.values(place, values);
  }

  /** A list that is null: one without elements where the tool writes it so. Its value says that it was null. */
  private addNull(node: JsonNode, key: string): void {
    if (this.format.writesNullLists === true) node.lists.add(key);
    node.values.set(key, null);
  }

  /** JSON lines, as many at once as the window holds. */
  private async *lines(): AsyncGenerator<Batch> {
    const { window } = this;
    for (;;) {
      await window.fill(BATCH_BYTES);
      const stop = await this.lastLineEnd();
      if (stop === window.at) return;
      const { bytes } = window;
      let { line } = window.place(window.at);
      const run: LineRun = { from: -1, end: -1, count: 0 };
      for (let at = window.at; at < stop; line += 1) {
        const newline = bytes.indexOf(NEWLINE, at);
        const end = newline < 0 || newline >= stop ? stop : newline;
        const kind = this.kindOfLine(at, end, line);
        if (kind === 'record') {
          if (run.count === 0) run.from = at;
          run.end = end;
          run.count += 1;
        } else {
          if (run.count > 0) yield this.handOn(run);
          if (kind === 'other') yield* this.otherLine(at, end, line);
        }
        at = end + 1;
      }
      if (run.count > 0) yield this.handOn(run);
      window.at = stop;
    }
  }

  /** The records of whole lines that follow each other. */
  private handOn(run: LineRun): Batch {
    const bytes = Buffer.from(this.window.bytes.subarray(run.from, run.end));
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) bytes[at] = COMMA;
    const { count } = run;
    run.count = 0;
    this.countRecords(count);
    return this.sink.elements(this.loose, bytes, count);
  }

  /** What a line holds: one record, nothing that counts, or something that has to be taken apart. */
  private kindOfLine(from: number, end: number, line: number): 'record' | 'none' | 'other' {
    const { bytes } = this.window;
    const at = skipSpace(bytes, from, end);
    if (at === end) return 'none';
    try {
      this.oneValue(bytes, at, end);
    } catch (error) {
      this.broken(line, error);
      return 'none';
    }
    if (bytes[at] !== OPEN_OBJECT) return 'other';
    return this.hasNoKey(bytes.subarray(at, end)) ? 'record' : 'other';
  }

  private broken(line: number, error: unknown): void {
    if (!(error instanceof JsonError) || this.brokenLines.length >= LIMITS.brokenLines) throw error;
    this.brokenLines.push({ line, why: error.message });
  }

  /** A line that may be a whole report, or a list of records. */
  private async *otherLine(from: number, end: number, line: number): AsyncGenerator<Batch> {
    const bytes = this.window.bytes.subarray(from, end);
    const window = new ByteWindow(piecesOf(bytes), this.window.signal);
    const inner = new JsonStream(window, this.format, this.sink, this.loose);
    try {
      await inner.space();
      yield* inner.document(true);
    } catch (error) {
      this.broken(line, error);
    }
    this.nodes += inner.nodes;
    this.countRecords(inner.recordCount);
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

/** Lines that hold one record each. */
interface LineRun {
  from: number;
  end: number;
  count: number;
}
