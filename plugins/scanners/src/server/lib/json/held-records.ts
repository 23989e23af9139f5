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
}

interface Held<P> {
  readonly elements: Elements<P>;
  readonly isCompressed: boolean;
}

/** Records that cannot be read before more of their report is known, such as results in front of their rules. */
export class HeldRecords<P extends { readonly node: object | undefined }> {
  /** By the part of the report that they are in. */
  private held = new Map<object | undefined, Held<P>[]>();
  private plainBytes = 0;

  /** Keeps a copy of the bytes. */
  add(elements: Elements<P>): void {
    const { bytes, place } = elements;
    const isCompressed = bytes.length > SMALL_BYTES && this.plainBytes + bytes.length > PLAIN_BYTES;
    const kept = isCompressed ? zstdCompressSync(bytes, OPTIONS) : Buffer.from(bytes);
    if (!isCompressed) this.plainBytes += kept.length;
    const held = { elements: { ...elements, bytes: kept }, isCompressed };
    const others = this.held.get(place.node);
    if (others === undefined) this.held.set(place.node, [held]);
    else others.push(held);
  }

  has(node: object): boolean {
    return this.held.has(node);
  }

  /** What is held of one part, in the order it came; afterwards nothing of it is held. */
  take(node: object | undefined): Generator<Elements<P>> {
    const all = this.held.get(node) ?? [];
    this.held.delete(node);
    return this.unpacked(all);
  }

  /** All that is held, part by part. */
  *takeAll(): Generator<Elements<P>> {
    const all = this.held;
    this.held = new Map();
    this.plainBytes = 0;
    for (const held of all.values()) yield* this.unpacked(held);
  }

  private *unpacked(all: Held<P>[]): Generator<Elements<P>> {
    all.reverse();
    for (let next = all.pop(); next !== undefined; next = all.pop()) {
      const { elements, isCompressed } = next;
      if (!isCompressed) this.plainBytes = Math.max(0, this.plainBytes - elements.bytes.length);
      yield isCompressed ? { ...elements, bytes: zstdDecompressSync(elements.bytes) } : elements;
    }
  }
}
