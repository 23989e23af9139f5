import { ReportError } from '@breakwater/sdk';
import { LIMITS } from '../limits.ts';

/** Byte-level steps through JSON: where a value ends, without making it. Values are checked when they are parsed. */

export const QUOTE = 0x22;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const COMMA = 0x2c;
export const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Text that is no JSON, and where. */
export class JsonError extends Error {
  readonly position: number;
  constructor(message: string, position: number) {
    super(message);
    this.name = 'JsonError';
    this.position = position;
  }
}

export function skipSpace(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at += 1;
  }
  return at;
}

/** Position after the string that starts at `from`. */
export function skipString(bytes: Uint8Array, from: number, end: number): number {
  let at = from + 1;
  while (at < end) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  throw new JsonError('the file ends inside a text: it is cut off', end);
}

/** Position after the value that starts at `from`; brackets are matched, the rest is left to JSON.parse. */
export function skipValue(bytes: Uint8Array, from: number, end: number, depth = 0): number {
  const first = bytes[from];
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return skipContainer(bytes, from, end, depth);
  if (first === QUOTE) return skipString(bytes, from, end);
  let at = from;
  while (at < end && isScalar(bytes[at])) at += 1;
  if (at === from) throw unexpected(bytes, from, end);
  return at;
}

function skipContainer(bytes: Uint8Array, from: number, end: number, outer: number): number {
  const closers: number[] = [];
  let at = from;
  while (at < end) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = skipString(bytes, at, end);
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (outer + closers.length >= LIMITS.depth) throw tooDeep();
      closers.push(byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY);
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (closers.pop() !== byte) throw unexpected(bytes, at, end);
      if (closers.length === 0) return at + 1;
    }
    at += 1;
  }
  throw new JsonError('the file ends before all brackets are closed: it is cut off', end);
}

function isScalar(byte: number | undefined): boolean {
  // Letters, digits and + - . of numbers, true, false, null.
  return (
    byte !== undefined &&
    ((byte >= 0x30 && byte <= 0x39) ||
      (byte >= 0x61 && byte <= 0x7a) ||
      (byte >= 0x41 && byte <= 0x5a) ||
      byte === 0x2b ||
      byte === 0x2d ||
      byte === 0x2e)
  );
}

export function unexpected(bytes: Uint8Array, at: number, end: number): JsonError {
  if (at >= end) return new JsonError('the file ends too early: it is cut off', end);
  const byte = bytes[at] ?? 0;
  const shown = byte > 0x20 && byte < 0x7f ? `“${String.fromCharCode(byte)}”` : `byte 0x${byte.toString(16)}`;
  return new JsonError(`unexpected ${shown}`, at);
}

export function tooDeep(): ReportError {
  return new ReportError(
    'report_too_complex',
    `The report nests values more than ${LIMITS.depth} levels deep. No scanner does that; export it again.`,
  );
}

/** Where a value is left when the bytes at hand end. */
type Within = 'start' | 'text' | 'brackets' | 'scalar';

/** True for the bytes that matter between texts. */
const MARKS = new Uint8Array(256);
for (const byte of [QUOTE, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY]) MARKS[byte] = 1;

/** Finds the end of one value whose bytes come in pieces. Brackets are matched, the rest is left to JSON.parse. */
export class JsonSkip {
  private readonly closers = new Uint8Array(LIMITS.depth + 1);
  private open = 0;
  private outer = 0;
  private within: Within = 'start';
  private isEscaped = false;

  /** Makes it ready for a value that stands `depth` brackets deep. */
  begin(depth: number): void {
    this.outer = depth;
    this.open = 0;
    this.within = 'start';
    this.isEscaped = false;
  }

  /** Position after the value, or -1 when the bytes end before; then `run` goes on with the ones that follow. */
  run(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    if (this.within === 'start') {
      if (at >= end) return -1;
      this.within = this.kindOf(bytes, at, end);
      if (this.within === 'text') at += 1;
    }
    if (this.within === 'scalar') return this.scalar(bytes, at, end);
    while (at < end) {
      if (this.within === 'text') {
        at = this.text(bytes, at, end);
        if (at < 0) return -1;
        if (this.open === 0) return at;
        this.within = 'brackets';
      }
      at = this.brackets(bytes, at, end);
      if (this.open === 0) return at;
    }
    return -1;
  }

  /** What is wrong when the report ends here; undefined when its end is the end of the value. */
  cutOff(end: number): JsonError | undefined {
    if (this.within === 'scalar') return undefined;
    if (this.within === 'start') return new JsonError('the file ends too early: it is cut off', end);
    if (this.within === 'text') return new JsonError('the file ends inside a text: it is cut off', end);
    return new JsonError('the file ends before all brackets are closed: it is cut off', end);
  }

  private kindOf(bytes: Uint8Array, at: number, end: number): Within {
    const first = bytes[at];
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) return 'brackets';
    if (first === QUOTE) return 'text';
    if (!isScalar(first)) throw unexpected(bytes, at, end);
    return 'scalar';
  }

  private scalar(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    while (at < end && isScalar(bytes[at])) at += 1;
    return at < end ? at : -1;
  }

  /** Position after the closing quote, or -1. */
  private text(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    if (this.isEscaped) at += 1;
    this.isEscaped = false;
    while (at < end) {
      const byte = bytes[at];
      at += 1;
      if (byte === QUOTE) return at;
      if (byte !== BACKSLASH) continue;
      if (at === end) this.isEscaped = true;
      at += 1;
    }
    return -1;
  }

  /** Up to the next text, the end of the value or the end of the bytes. */
  private brackets(bytes: Uint8Array, from: number, end: number): number {
    const { closers } = this;
    let at = from;
    while (at < end) {
      const byte = bytes[at] ?? 0;
      if (MARKS[byte] === 1) {
        if (byte === QUOTE) {
          this.within = 'text';
          return at + 1;
        }
        if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
          if (this.outer + this.open >= LIMITS.depth) throw tooDeep();
          closers[this.open] = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
          this.open += 1;
        } else {
          this.open -= 1;
          if (this.open < 0 || closers[this.open] !== byte) throw unexpected(bytes, at, end);
          if (this.open === 0) return at + 1;
        }
      }
      at += 1;
    }
    return at;
  }
}
