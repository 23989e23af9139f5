import { OPEN_OBJECT, QUOTE, skipSpace } from './json-scan.ts';

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
