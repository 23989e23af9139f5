import { ReportError } from '@breakwater/sdk';
import { LIMITS } from '../limits.ts';
import { isWebPage } from './known-tools.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonError,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
  skipString,
  skipValue,
  tooDeep,
  unexpected,
} from './scan.ts';

/**
 * What to keep of each known field of a report: `value` parses it at once (small), `records` only notes where each
 * element stands (many), `object` and `each` describe a sub-document or a list of them. Everything else is skipped.
 */
export type JsonPart = 'value' | 'records' | { readonly object: JsonShape } | { readonly each: JsonShape };

export interface JsonShape {
  readonly [key: string]: JsonPart;
}

/** One object of a report, taken apart as its shape says. */
export class JsonNode {
  readonly start: number;
  readonly values = new Map<string, unknown>();
  readonly records = new Map<string, Ranges>();
  readonly children = new Map<string, JsonNode[]>();
  /** The object around it; undefined for a whole report. */
  readonly parent: JsonNode | undefined;
  /** True when nothing is added any more, where a report is read while it arrives. */
  isClosed = false;

  constructor(start: number, parent?: JsonNode) {
    this.start = start;
    this.parent = parent;
  }

  get isKnown(): boolean {
    return this.values.size + this.records.size + this.children.size > 0;
  }
}

export interface JsonReport {
  bytes: Buffer;
  /** Objects with at least one known field: whole reports. */
  documents: JsonNode[];
  /** Other top-level values: records that stand alone in an array or on lines. */
  loose: Ranges;
  /** Lines that are no JSON, where the rest of the lines is. */
  brokenLines: { line: number; why: string }[];
}

/**
 * Takes a report apart in one pass over its bytes. Reads one report, an array of reports or of records, and the same
 * as JSON lines or simply one after the other.
 * @throws ReportError report_malformed with the position, report_too_complex
 */
export function indexJson(bytes: Buffer, shape: JsonShape): JsonReport {
  try {
    return new Indexer(bytes, shape).run();
  } catch (error) {
    if (error instanceof JsonError) throw malformedJson(bytes, error);
    throw error;
  }
}

/**
 * Records on lines of their own: whole lines of a report that arrives in parts. `line` is the number of the first; lines that
 * are no JSON are added to `broken`.
 * @throws JsonError after too many broken lines, ReportError report_too_complex
 */
export function indexLines(
  bytes: Buffer,
  shape: JsonShape,
  line: number,
  broken: JsonReport['brokenLines'],
): JsonReport & { nodes: number; recordCount: number } {
  const indexer = new Indexer(bytes, shape, broken);
  const report = indexer.runLines(line);
  return { ...report, nodes: indexer.nodes, recordCount: indexer.recordCount };
}

class Indexer {
  private readonly bytes: Buffer;
  private readonly shape: JsonShape;
  private end: number;
  nodes = 0;
  recordCount = 0;
  private readonly report: JsonReport;

  constructor(bytes: Buffer, shape: JsonShape, brokenLines: JsonReport['brokenLines'] = []) {
    this.bytes = bytes;
    this.shape = shape;
    this.end = bytes.length;
    this.report = { bytes, documents: [], loose: new Ranges(), brokenLines };
  }

  run(): JsonReport {
    const first = skipSpace(this.bytes, 0, this.end);
    const after = this.document(first, true);
    let at = skipSpace(this.bytes, after, this.end);
    if (at >= this.end) return this.report;
    // More than one value. Records on lines of their own are JSON lines, where one bad line costs only itself;
    // anything else is one value after the other.
    const isLine = this.bytes[first] === OPEN_OBJECT && this.bytes.indexOf(0x0a, first) >= after;
    if (isLine && this.report.documents.length === 0) this.lines(at, 1 + countLines(this.bytes, at));
    else while (at < this.end) at = skipSpace(this.bytes, this.document(at, false), this.end);
    return this.report;
  }

  runLines(line: number): JsonReport {
    this.lines(0, line);
    return this.report;
  }

  private lines(from: number, first: number): void {
    let line = first;
    const last = this.end;
    for (let at = from; at < last; line += 1) {
      const newline = this.bytes.indexOf(0x0a, at);
      const stop = newline < 0 ? last : newline;
      this.end = stop;
      this.line(at, line);
      at = stop + 1;
    }
    this.end = last;
  }

  private line(from: number, line: number): void {
    const at = skipSpace(this.bytes, from, this.end);
    if (at === this.end) return;
    try {
      const after = skipSpace(this.bytes, this.document(at, false), this.end);
      if (after < this.end) throw unexpected(this.bytes, after, this.end);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      if (this.report.brokenLines.length >= LIMITS.brokenLines) throw error;
      this.report.brokenLines.push({ line, why: error.message });
    }
  }

  /** One top-level value. */
  private document(at: number, isFirst: boolean): number {
    const first = this.bytes[at];
    if (first === OPEN_OBJECT) return this.topObject(at, 0);
    if (first === OPEN_ARRAY) return this.elements(at, (element) => this.topElement(element));
    const stop = skipValue(this.bytes, at, this.end);
    // Some tools write `null` for "nothing found"; no report is a bare number or text.
    if (!isFirst || this.parse(at, stop) !== null) throw unexpected(this.bytes, at, this.end);
    return stop;
  }

  private topElement(at: number): number {
    if (this.bytes[at] === OPEN_OBJECT) return this.topObject(at, 1);
    const stop = skipValue(this.bytes, at, this.end, 1);
    this.addRecord(this.report.loose, at, stop);
    return stop;
  }

  private topObject(at: number, depth: number): number {
    const node = new JsonNode(at);
    const stop = this.object(at, node, this.shape, depth);
    if (node.isKnown) this.report.documents.push(this.counted(node));
    else this.addRecord(this.report.loose, at, stop);
    return stop;
  }

  /** Walks the object at `at` into `node`; returns the position after it. */
  private object(from: number, node: JsonNode, shape: JsonShape, depth: number): number {
    if (depth >= LIMITS.depth) throw tooDeep();
    const { bytes } = this;
    let at = skipSpace(bytes, from + 1, this.end);
    if (bytes[at] === CLOSE_OBJECT) return at + 1;
    for (;;) {
      if (bytes[at] !== QUOTE) throw unexpected(bytes, at, this.end);
      const keyEnd = skipString(bytes, at, this.end);
      const key = this.key(at, keyEnd);
      at = skipSpace(bytes, keyEnd, this.end);
      if (bytes[at] !== COLON) throw unexpected(bytes, at, this.end);
      at = skipSpace(bytes, at + 1, this.end);
      const part = Object.hasOwn(shape, key) ? shape[key] : undefined;
      at = part === undefined ? skipValue(bytes, at, this.end, depth + 1) : this.part(at, node, key, part, depth + 1);
      at = skipSpace(bytes, at, this.end);
      if (bytes[at] === CLOSE_OBJECT) return at + 1;
      if (bytes[at] !== COMMA) throw unexpected(bytes, at, this.end);
      at = skipSpace(bytes, at + 1, this.end);
    }
  }

  private part(at: number, node: JsonNode, key: string, part: JsonPart, depth: number): number {
    const first = this.bytes[at];
    if (part === 'records' && first === OPEN_ARRAY) {
      const ranges = new Ranges();
      node.records.set(key, ranges);
      return this.elements(at, (element) => {
        const stop = skipValue(this.bytes, element, this.end, depth + 1);
        this.addRecord(ranges, element, stop);
        return stop;
      });
    }
    if (typeof part === 'object' && 'each' in part && first === OPEN_ARRAY) {
      const children: JsonNode[] = [];
      node.children.set(key, children);
      return this.elements(at, (element) => this.child(element, children, part.each, depth + 1));
    }
    if (typeof part === 'object' && 'object' in part && first === OPEN_OBJECT) {
      const children: JsonNode[] = [];
      node.children.set(key, children);
      return this.child(at, children, part.object, depth);
    }
    const stop = skipValue(this.bytes, at, this.end, depth);
    if (part === 'value') node.values.set(key, this.parse(at, stop));
    // `"results": null` is how some languages write an empty list.
    else if (this.parse(at, stop) === null) node.records.set(key, new Ranges());
    return stop;
  }

  private child(at: number, children: JsonNode[], shape: JsonShape, depth: number): number {
    if (this.bytes[at] !== OPEN_OBJECT) return skipValue(this.bytes, at, this.end, depth);
    const node = this.counted(new JsonNode(at));
    children.push(node);
    return this.object(at, node, shape, depth);
  }

  private elements(from: number, visit: (at: number) => number): number {
    const { bytes } = this;
    let at = skipSpace(bytes, from + 1, this.end);
    if (bytes[at] === CLOSE_ARRAY) return at + 1;
    for (;;) {
      at = skipSpace(bytes, visit(at), this.end);
      if (bytes[at] === CLOSE_ARRAY) return at + 1;
      if (bytes[at] !== COMMA) throw unexpected(bytes, at, this.end);
      at = skipSpace(bytes, at + 1, this.end);
    }
  }

  private key(from: number, stop: number): string {
    const raw = this.bytes.toString('utf8', from + 1, Math.min(stop - 1, from + 1 + LIMITS.idChars));
    if (!raw.includes('\\')) return raw;
    const parsed = this.parse(from, stop);
    return typeof parsed === 'string' ? parsed : raw;
  }

  private parse(from: number, stop: number): unknown {
    return parseValue(this.bytes, from, stop);
  }

  private counted(node: JsonNode): JsonNode {
    this.nodes += 1;
    if (this.nodes > LIMITS.nodes) throw tooMany();
    return node;
  }

  private addRecord(ranges: Ranges, start: number, stop: number): void {
    this.recordCount += 1;
    if (this.recordCount > LIMITS.records) throw tooMany();
    ranges.push(start, stop);
  }
}

/** Parses one value of the report's frame. @throws JsonError, ReportError report_too_complex */
export function parseValue(bytes: Buffer, from: number, stop: number): unknown {
  if (stop - from > LIMITS.valueBytes) {
    throw new ReportError('report_too_complex', 'One value of the report is larger than 32 MB.');
  }
  try {
    return JSON.parse(bytes.toString('utf8', from, stop));
  } catch {
    throw new JsonError('a value is not valid JSON', from);
  }
}

export function tooMany(): ReportError {
  return new ReportError(
    'report_too_complex',
    'The report holds more than five million records or 200,000 parts. Split it, or narrow the scan.',
  );
}

function countLines(bytes: Buffer, end: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < end; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
  return lines;
}

/** The refusal of a file that is no JSON, naming line and column. */
function malformedJson(bytes: Buffer, fault: JsonError): ReportError {
  const lineStart = fault.position === 0 ? 0 : bytes.lastIndexOf(0x0a, fault.position - 1) + 1;
  const place = { line: countLines(bytes, fault.position) + 1, column: fault.position - lineStart + 1 };
  return malformed(bytes, fault, place);
}

/** The refusal of a file that is no JSON, whose first bytes are given. */
export function malformed(head: Uint8Array, fault: JsonError, place: { line: number; column: number }): ReportError {
  if (isWebPage(head)) {
    return new ReportError(
      'report_malformed',
      'The file is a web page (HTML), not JSON: probably the error or sign-in page of a proxy. Nothing was imported.',
      { cause: fault },
    );
  }
  return new ReportError(
    'report_malformed',
    `The file is not valid JSON: ${fault.message} (line ${place.line}, column ${place.column}). Nothing was imported.`,
    { cause: fault },
  );
}

/** Start and end offsets of many records in 8 bytes each; reports stay below 4 GiB (the host's upload limit is 512 MB). */
export class Ranges {
  private offsets = new Uint32Array(16);
  private used = 0;

  get length(): number {
    return this.used / 2;
  }

  push(start: number, end: number): void {
    if (this.used === this.offsets.length) {
      const larger = new Uint32Array(this.offsets.length * 2);
      larger.set(this.offsets);
      this.offsets = larger;
    }
    this.offsets[this.used] = start;
    this.offsets[this.used + 1] = end;
    this.used += 2;
  }

  start(index: number): number {
    return this.offsets[index * 2] ?? 0;
  }

  end(index: number): number {
    return this.offsets[index * 2 + 1] ?? 0;
  }
}
