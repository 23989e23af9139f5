import { ReportError } from '@breakwater/sdk';
import type { ByteWindow } from '../input/byte-window.ts';
import { LIMITS } from '../limits.ts';
import { parseValue } from './report.ts';
import {
  CLOSE_ARRAY,
  COMMA,
  type JsonError,
  JsonSkip,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
  unexpected,
} from './scan.ts';

export const NEWLINE = 0x0a;

/** Steps through JSON that arrives in pieces: each waits for the bytes that it needs. */
export class JsonCursor {
  protected readonly window: ByteWindow;
  protected readonly skipper = new JsonSkip();

  constructor(window: ByteWindow) {
    this.window = window;
  }

  protected byte(): number | undefined {
    const { window } = this;
    return window.at < window.end ? window.bytes[window.at] : undefined;
  }

  protected unexpected(): JsonError {
    const { window } = this;
    return unexpected(window.bytes, window.at, window.end);
  }

  protected async space(): Promise<void> {
    const { window } = this;
    do window.at = skipSpace(window.bytes, window.at, window.end);
    while (window.at === window.end && (await window.more()));
  }

  /** Goes behind the value that starts here. False when what is kept of it became larger than a value may be. */
  protected async skip(depth: number): Promise<boolean> {
    const { window, skipper } = this;
    const isKept = window.mark >= 0;
    skipper.begin(depth);
    for (;;) {
      const stop = skipper.run(window.bytes, window.at, window.end);
      window.at = stop < 0 ? window.end : stop;
      if (window.mark >= 0 && window.at - window.mark > LIMITS.valueBytes) window.mark = -1;
      if (stop >= 0) break;
      if (await window.more()) continue;
      const error = skipper.cutOff(window.end);
      if (error !== undefined) throw error;
      break;
    }
    return !isKept || window.mark >= 0;
  }

  /** Goes behind the value that starts here, with the mark at its start. */
  protected kept(depth: number): Promise<boolean> {
    this.window.mark = this.window.at;
    return this.skip(depth);
  }

  /** Enters a list. False when it is empty. */
  protected async firstElement(): Promise<boolean> {
    this.window.at += 1;
    await this.space();
    if (this.byte() !== CLOSE_ARRAY) return true;
    this.window.at += 1;
    return false;
  }

  /** Goes from one element of a list to the next. False behind its end. */
  protected async nextElement(): Promise<boolean> {
    await this.space();
    const byte = this.byte();
    if (byte !== COMMA && byte !== CLOSE_ARRAY) throw this.unexpected();
    this.window.at += 1;
    if (byte === CLOSE_ARRAY) return false;
    await this.space();
    return true;
  }

  protected async key(): Promise<string> {
    if (this.byte() !== QUOTE) throw this.unexpected();
    const { window } = this;
    const isOwn = window.mark < 0;
    if (isOwn) window.mark = window.at;
    const offset = window.at - window.mark;
    if (!(await this.skip(0))) {
      if (isOwn) throw tooLarge();
      return '';
    }
    const { bytes, mark, at } = window;
    const from = mark + offset;
    if (isOwn) window.mark = -1;
    const raw = bytes.toString('utf8', from + 1, Math.min(at - 1, from + 1 + LIMITS.idChars));
    if (!raw.includes('\\')) return raw;
    const parsed = parseValue(bytes, from, at);
    return typeof parsed === 'string' ? parsed : raw;
  }

  protected async value(depth: number): Promise<unknown> {
    if (!(await this.kept(depth))) throw tooLarge();
    const { window } = this;
    const from = window.mark;
    window.mark = -1;
    return parseValue(window.bytes, from, window.at);
  }

  /** @throws JsonError when a line is not one object or list */
  protected oneValue(bytes: Buffer, at: number, end: number): void {
    const { skipper } = this;
    if (bytes[at] !== OPEN_OBJECT && bytes[at] !== OPEN_ARRAY) throw unexpected(bytes, at, end);
    skipper.begin(0);
    const stop = skipper.run(bytes, at, end);
    const after = stop < 0 ? end : skipSpace(bytes, stop, end);
    const error = stop < 0 ? skipper.cutOff(end) : undefined;
    if (error !== undefined) throw error;
    if (after < end) throw unexpected(bytes, after, end);
  }

  /** Where the last whole line of the window ends. */
  protected async lastLineEnd(): Promise<number> {
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
}

export function tooLarge(): ReportError {
  return new ReportError('report_too_complex', 'One value of the report is larger than 32 MB.');
}

/** Guesses that may fail before no more are made. */
const MAX_FAILURES = 3;
const MAX_BYTES = 300;

/**
 * What stands between two records of a list: the comma, white space and the name of the first field. Records of one list are
 * written by one piece of code, so that the same bytes show where another may start, without a look at all that is between.
 */
export class Separator {
  private bytes: Buffer | undefined;
  private failures = 0;

  /** Takes the bytes from the end of a record to the end of the next one's first name. */
  learn(bytes: Buffer, from: number, next: number, end: number): void {
    if (bytes[next] !== OPEN_OBJECT) return;
    const name = skipSpace(bytes, next + 1, end);
    const nameEnd = bytes[name] === QUOTE ? bytes.indexOf(QUOTE, name + 1) : -1;
    if (nameEnd < 0 || nameEnd >= end || nameEnd - from > MAX_BYTES) return;
    this.bytes = Buffer.from(bytes.subarray(from, nameEnd + 1));
  }

  /** Where it stands last; -1 when it is not there or not known. */
  lastIn(bytes: Buffer): number {
    return this.bytes === undefined || this.failures >= MAX_FAILURES ? -1 : bytes.lastIndexOf(this.bytes);
  }

  hasFailed(): void {
    this.failures += 1;
  }
}
