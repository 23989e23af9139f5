import { randomBytes } from 'node:crypto';
import { LIMITS } from '../limits.ts';
import { isRecord } from '../values/read.ts';
import { COLON, JsonSkip, OPEN_ARRAY, OPEN_OBJECT, QUOTE, skipSpace, tooDeep } from './scan.ts';

/** Names that lead from a record to a part of it. */
export type PartPath = readonly [string, ...string[]];

/** Shorter parts are not worth a mark, longer ones do not repeat. */
const MIN_BYTES = 40;
const MAX_BYTES = 64 * 1024;
/** Of all parts that are kept; one that cannot be read counts as a long one. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** Parts that are kept before one of them has to show up again, and from then on for each that did. */
const ADVANCE = 256;
const MAX_FAILURES = 3;
const BACKSLASH = 0x5c;

interface Part extends Slice {
  readonly value: unknown;
  /** Brackets that are nested in it. */
  readonly levels: number;
  /** What stands for it, with its quotes. */
  readonly mark: Buffer;
}

/** Elements of which known parts have been cut out. */
interface CutElements {
  /** Changes with the next cut. */
  readonly bytes: Buffer;
  /** How many parts are missing. */
  readonly cuts: number;
}

/**
 * Scanners repeat in each record, byte by byte, what belongs to its rule or vulnerability. This reads such a part once: where
 * the bytes of a known one follow its name, a mark takes their place before JSON.parse sees the record, and the value that
 * was read before takes the place of the mark. The values are the same objects each time and must not be changed.
 *
 * Nothing is taken on trust. A name in quotes with a colon behind it is a name in all valid JSON, and brackets that are valid
 * on their own are one value, so that what is left is valid exactly when the whole was. A mark that is not found again where
 * the part belongs, such as one of a namesake elsewhere, sends the whole to JSON.parse. No report knows the marks.
 */
export class RepeatedParts {
  private readonly paths: readonly PartPath[];
  /** Their last names with the quote behind; the one in front is so frequent that looking for it would take longer. */
  private readonly names: readonly Buffer[];
  private readonly known = new SliceTree<Part>();
  private readonly byMark = new Map<string, Part>();
  private readonly nonce = randomBytes(12).toString('base64url');
  private readonly skip = new JsonSkip();
  private room = Buffer.alloc(0);
  private keptBytes = 0;
  private found = 0;
  private failures = 0;

  /** In the order in which the tool writes them: after one, the next is looked for, and what stands between them is not. */
  constructor(paths: readonly PartPath[]) {
    this.paths = paths;
    this.names = [...new Set(paths.map((path) => `${path.at(-1)}"`))].map((name) => Buffer.from(name));
  }

  /** Whole elements, with commas between them, without the parts that are known. */
  cut(bytes: Buffer): CutElements {
    if (this.names.length === 0 || this.failures >= MAX_FAILURES) return { bytes, cuts: 0 };
    if (this.room.length < bytes.length) this.room = Buffer.allocUnsafe(bytes.length);
    const { room } = this;
    const names = [...this.names];
    let length = 0;
    let from = 0;
    let cuts = 0;
    for (let turn = 0, at = 0; names.length > 0; ) {
      const name = names[turn];
      const found = name === undefined ? -1 : bytes.indexOf(name, at);
      if (name === undefined || found < 0) {
        names.splice(turn, 1);
        turn = 0;
        continue;
      }
      at = found + name.length;
      const start = valueStart(bytes, found, at);
      const part = start < 0 ? undefined : (this.known.find(bytes, start, bytes.length) ?? this.learn(bytes, start));
      if (part !== undefined) {
        length += bytes.copy(room, length, from, start);
        length += part.mark.copy(room, length);
        from = start + part.bytes.length;
        at = from;
        cuts += 1;
      }
      turn = (turn + 1) % names.length;
    }
    this.found += cuts;
    return { bytes: room.subarray(0, length + bytes.copy(room, length, from)), cuts };
  }

  /**
   * The values of the elements, as if nothing had been cut. Undefined when they are not valid, or when a part was cut elsewhere
   * than where it belongs: then the elements have to be parsed whole.
   * @throws ReportError report_too_complex for brackets nested in more than `levels` others, those of the list included
   */
  read({ bytes, cuts }: CutElements, levels: number): readonly unknown[] | undefined {
    const values = parseAll(bytes);
    if (values === undefined) return undefined;
    if (isDeeper(values, levels)) throw tooDeep();
    if (this.restoreAll(values, levels) === cuts) return values;
    this.failures += 1;
    return undefined;
  }

  /** As `read`, for elements that were read before. */
  readAgain(bytes: Buffer): readonly unknown[] {
    const values = parseAll(bytes) ?? [];
    this.restoreAll(values, Number.POSITIVE_INFINITY);
    return values;
  }

  /** Puts parts where their marks are; returns how many. */
  private restoreAll(values: readonly unknown[], levels: number): number {
    let restored = 0;
    for (let at = 0; at < values.length; at += 1)
      for (const path of this.paths) if (this.restore(values[at], path, levels)) restored += 1;
    return restored;
  }

  private restore(record: unknown, path: PartPath, levels: number): boolean {
    const last = path.length - 1;
    let holder = record;
    for (let at = 0; at < last; at += 1) holder = isRecord(holder) ? holder[path[at] ?? ''] : undefined;
    const name = path[last] ?? '';
    if (!isRecord(holder)) return false;
    const mark = holder[name];
    const part = typeof mark === 'string' ? this.byMark.get(mark) : undefined;
    if (part === undefined) return false;
    if (path.length + 1 + part.levels > levels) throw tooDeep();
    holder[name] = part.value;
    return true;
  }

  private learn(bytes: Buffer, start: number): Part | undefined {
    if (this.keptBytes > KEPT_BYTES || this.byMark.size > ADVANCE + this.found) return undefined;
    try {
      this.skip.begin(0);
      const stop = this.skip.run(bytes, start, Math.min(bytes.length, start + MAX_BYTES));
      if (stop >= 0) return stop - start < MIN_BYTES ? undefined : this.keep(Buffer.from(bytes.subarray(start, stop)));
    } catch {
      // What is wrong with it is said where the whole record is read.
    }
    this.keptBytes += MAX_BYTES;
    return undefined;
  }

  private keep(bytes: Buffer): Part {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    const name = `${this.nonce}${this.byMark.size}`;
    const part = { bytes, value, levels: levelsOf(value, LIMITS.depth), mark: Buffer.from(`"${name}"`) };
    this.keptBytes += bytes.length;
    this.known.add(part);
    this.byMark.set(name, part);
    return part;
  }
}

/** Where the brackets start that follow a name; -1 when something else follows, or when it is no name. */
function valueStart(bytes: Buffer, name: number, nameEnd: number): number {
  if (bytes[name - 1] !== QUOTE || bytes[name - 2] === BACKSLASH) return -1;
  const colon = skipSpace(bytes, nameEnd, bytes.length);
  if (bytes[colon] !== COLON) return -1;
  const start = skipSpace(bytes, colon + 1, bytes.length);
  return bytes[start] === OPEN_OBJECT || bytes[start] === OPEN_ARRAY ? start : -1;
}

/** Values of whole elements with commas between them, when they are valid. */
export function parseAll(bytes: Buffer): readonly unknown[] | undefined {
  try {
    const values: unknown = JSON.parse(`[${bytes.toString('utf8')}]`);
    return Array.isArray(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** What is kept for one run of bytes. */
interface Slice {
  readonly bytes: Buffer;
}

/** A place where the slices below it differ. */
interface Fork<T extends Slice> {
  readonly at: number;
  readonly next: Map<number, Fork<T> | T>;
}

/**
 * Finds the slice that stands at a place without knowing where it ends: only the bytes in which slices differ are looked at,
 * then the one that is left is compared whole. None may be the start of another, as is so with brackets of JSON.
 */
export class SliceTree<T extends Slice> {
  private root: Fork<T> | T | undefined;

  find(bytes: Buffer, from: number, end: number): T | undefined {
    let node = this.root;
    while (node !== undefined && 'next' in node) node = node.next.get(bytes[from + node.at] ?? -1);
    if (node === undefined) return undefined;
    const stop = from + node.bytes.length;
    return stop <= end && bytes.compare(node.bytes, 0, node.bytes.length, from, stop) === 0 ? node : undefined;
  }

  /** Adds a slice that `find` does not find. */
  add(slice: T): void {
    if (this.root === undefined) {
      this.root = slice;
      return;
    }
    const near = this.nearest(slice.bytes, this.root);
    const at = firstDifference(slice.bytes, near.bytes);
    let above: Fork<T> | undefined;
    let node = this.root;
    while ('next' in node && node.at < at) {
      above = node;
      node = node.next.get(slice.bytes[node.at] ?? -1) ?? near;
    }
    if ('next' in node && node.at === at) {
      node.next.set(slice.bytes[at] ?? -1, slice);
      return;
    }
    const next = new Map([
      [near.bytes[at] ?? -1, node],
      [slice.bytes[at] ?? -1, slice],
    ]);
    if (above === undefined) this.root = { at, next };
    else above.next.set(slice.bytes[above.at] ?? -1, { at, next });
  }

  /** A slice that agrees with the bytes for as long as any does. */
  private nearest(bytes: Buffer, root: Fork<T> | T): T {
    let node = root;
    while ('next' in node) {
      const [first] = node.next.values();
      const found: Fork<T> | T | undefined = node.next.get(bytes[node.at] ?? -1) ?? first;
      if (found === undefined) throw new Error('A fork has at least two slices');
      node = found;
    }
    return node;
  }
}

function firstDifference(one: Buffer, other: Buffer): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** True when brackets are nested more than `levels` deep. */
function isDeeper(values: readonly unknown[], levels: number): boolean {
  return levelsOf(values, levels) > levels;
}

/** How deep brackets are nested; counted to one more than `most`. One level after the other: no text can exhaust the stack. */
function levelsOf(value: unknown, most: number): number {
  let level: unknown[] = [];
  if (typeof value === 'object' && value !== null) level.push(value);
  let depth = 0;
  for (; level.length > 0 && depth <= most; depth += 1) {
    const next: unknown[] = [];
    for (const holder of level) addHolders(holder, next);
    level = next;
  }
  return depth;
}

function addHolders(holder: unknown, holders: unknown[]): void {
  if (Array.isArray(holder)) {
    for (let at = 0; at < holder.length; at += 1) {
      const part: unknown = holder[at];
      if (typeof part === 'object' && part !== null) holders.push(part);
    }
  } else if (isRecord(holder)) {
    for (const name in holder) {
      const part = holder[name];
      if (typeof part === 'object' && part !== null) holders.push(part);
    }
  }
}
