import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  isScalar,
  JsonError,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  tooDeep,
  unexpected,
} from './json-scan.ts';
import { LIMITS } from './limits.ts';

const BACKSLASH = 0x5c;

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
