import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Bytes that are held as they are; what comes after is compressed, to about a thirtieth. */
const PLAIN_BYTES = 24 * 1024 * 1024;
/** Less is not worth compressing. */
const SMALL_BYTES = 4 * 1024;
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Whole elements of one list, with commas between them. */
export interface Elements<P> {
  readonly place: P;
  /** Place of the first element in its list. */
  readonly index: number;
  readonly count: number;
  readonly bytes: Buffer;
  /** True when repeated parts were cut out of the bytes. */
  readonly isCut: boolean;
}

/** Records that cannot be read before the end of their document is known, such as results in front of their rules. */
export class HeldRecords<P> {
  private held: { elements: Elements<P>; isCompressed: boolean }[] = [];
  private plainBytes = 0;

  /** Keeps a copy of the bytes. */
  add(elements: Elements<P>): void {
    const { bytes } = elements;
    const isCompressed = bytes.length > SMALL_BYTES && this.plainBytes + bytes.length > PLAIN_BYTES;
    const kept = isCompressed ? zstdCompressSync(bytes, OPTIONS) : Buffer.from(bytes);
    if (!isCompressed) this.plainBytes += kept.length;
    this.held.push({ elements: { ...elements, bytes: kept }, isCompressed });
  }

  /** All that is held, in the order it came; afterwards nothing is held. */
  *take(): Generator<Elements<P>> {
    const all = this.held.reverse();
    this.held = [];
    this.plainBytes = 0;
    for (let next = all.pop(); next !== undefined; next = all.pop()) {
      const { elements, isCompressed } = next;
      yield isCompressed ? { ...elements, bytes: zstdDecompressSync(elements.bytes) } : elements;
    }
  }
}
