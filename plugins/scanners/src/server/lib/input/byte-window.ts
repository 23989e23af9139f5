const PIECE_BYTES = 64 * 1024;
/** Bytes that tell the encoding. */
const HEAD_BYTES = 4;
const NEWLINE = 0x0a;

/**
 * The part of a report that is being read, as UTF-8 without byte-order mark. What lies before `at` (before `mark`, while
 * one is set) is let go when more comes, so that a report of any size takes a window and no more.
 */
export class ByteWindow {
  bytes: Buffer = Buffer.allocUnsafe(4 * PIECE_BYTES);
  /** Where the bytes end. */
  end = 0;
  /** What is read next. */
  at = 0;
  /** Where a value starts that is still needed; -1 for none. */
  mark = -1;
  /** True when nothing comes after `end`. */
  isWhole = false;

  private readonly pieces: AsyncIterator<Uint8Array>;
  readonly signal: AbortSignal;
  private decoder: TextDecoder | undefined;
  private isStarted = false;
  private lines = 0;
  /** Bytes of the line that lies before the window. */
  private column = 0;

  constructor(report: AsyncIterable<Uint8Array>, signal: AbortSignal) {
    this.pieces = report[Symbol.asyncIterator]();
    this.signal = signal;
  }

  /** Takes in at least one byte more. False when the report has ended. */
  async more(): Promise<boolean> {
    this.release();
    const before = this.end;
    while (this.end === before && !this.isWhole) await this.take();
    return this.end > before;
  }

  /** Takes in more until `size` bytes lie ahead or the report has ended. */
  async fill(size: number): Promise<void> {
    while (this.end - this.at < size && !this.isWhole) await this.more();
  }

  /** All that is left of the report. The bytes stay as they are: nothing is read after it. */
  async rest(): Promise<Buffer> {
    while (!this.isWhole) await this.more();
    return this.bytes.subarray(this.at, this.end);
  }

  /** Line and column, from 1, of a byte of the window. */
  place(index: number): { line: number; column: number } {
    const { count, last } = newlines(this.bytes, 0, index);
    return { line: this.lines + count + 1, column: last < 0 ? this.column + index + 1 : index - last };
  }

  async close(): Promise<void> {
    await this.pieces.return?.();
  }

  private async take(): Promise<void> {
    const piece = this.isStarted ? await this.next() : await this.first();
    if (piece === undefined) {
      this.isWhole = true;
      const rest = this.decoder?.decode() ?? '';
      if (rest !== '') this.append(Buffer.from(rest));
    } else {
      this.append(this.decoder === undefined ? piece : Buffer.from(this.decoder.decode(piece, { stream: true })));
    }
  }

  private async next(): Promise<Uint8Array | undefined> {
    this.signal.throwIfAborted();
    const next = await this.pieces.next();
    return next.done === true ? undefined : next.value;
  }

  private async first(): Promise<Uint8Array | undefined> {
    this.isStarted = true;
    const head: Uint8Array[] = [];
    for (let length = 0; length < HEAD_BYTES; ) {
      const piece = await this.next();
      if (piece === undefined) break;
      head.push(piece);
      length += piece.length;
    }
    const bytes = Buffer.concat(head);
    const { encoding, skip } = detectEncoding(bytes);
    if (encoding !== 'utf-8') this.decoder = new TextDecoder(encoding);
    return bytes.length === 0 ? undefined : bytes.subarray(skip);
  }

  private release(): void {
    const from = this.mark >= 0 ? this.mark : this.at;
    if (from === 0) return;
    const { count, last } = newlines(this.bytes, 0, from);
    this.lines += count;
    this.column = last < 0 ? this.column + from : from - last - 1;
    this.bytes.copyWithin(0, from, this.end);
    this.end -= from;
    this.at -= from;
    if (this.mark >= 0) this.mark = 0;
  }

  private append(piece: Uint8Array): void {
    const needed = this.end + piece.length;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.bytes.length));
      this.bytes.copy(larger, 0, 0, this.end);
      this.bytes = larger;
    }
    this.bytes.set(piece, this.end);
    this.end = needed;
  }
}

/** Newlines of a part, and where the last one is: by hops where they are rare, by steps where they are not. */
function newlines(bytes: Buffer, from: number, end: number): { count: number; last: number } {
  let count = 0;
  let last = -1;
  const first = bytes.indexOf(NEWLINE, from);
  if (first < 0 || first >= end) return { count, last };
  for (let at = first; at < end; at += 1) {
    if (bytes[at] !== NEWLINE) continue;
    count += 1;
    last = at;
  }
  return { count, last };
}

/** A report that is in memory already, as one that arrives. */
export async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 4 * PIECE_BYTES) yield bytes.subarray(at, at + 4 * PIECE_BYTES);
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

interface Detected {
  encoding: Encoding;
  /** Bytes of the byte-order mark. */
  skip: number;
}

/** Encoding from the byte-order mark, or from the zero bytes that ASCII leaves in UTF-16. */
export function detectEncoding(head: Uint8Array): Detected {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', skip: 3 };
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', skip: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', skip: 2 };
  if (first !== 0 && second === 0 && third !== 0) return { encoding: 'utf-16le', skip: 0 };
  if (first === 0 && second !== 0 && third === 0) return { encoding: 'utf-16be', skip: 0 };
  return { encoding: 'utf-8', skip: 0 };
}
