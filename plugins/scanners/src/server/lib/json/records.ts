import { ReportError, type ReportRecord } from '@breakwater/sdk';
import { LIMITS } from '../limits.ts';
import { isRecord } from '../values/read.ts';
import type { JsonNode, JsonShape } from './report.ts';

/** A list of records that is being read. */
export interface RecordPlace {
  /** The object that holds the list; undefined for records that stand alone. */
  readonly node: JsonNode | undefined;
  readonly list: string;
  /** Records seen so far. */
  index: number;
  /** True when its records wait for the end of the document. */
  isHeld: boolean;
}

/** Takes what the stream finds, in the order of the report. */
export interface RecordSink {
  /** `count` whole elements with commas between them; the bytes may change after the call. */
  elements(place: RecordPlace, bytes: Buffer, count: number): Batch;
  /**
   * As `elements`, for bytes of which it is only likely that they are whole elements. Returns how many they were, or undefined
   * when they were not.
   */
  guess(place: RecordPlace, bytes: Buffer, depth: number): { made: Batch; count: number } | undefined;
  /** True for a list that others refer to. */
  isLookup(place: RecordPlace): boolean;
  /** As `elements`, for elements that have been read. */
  values(place: RecordPlace, values: readonly unknown[]): Batch;
  /** A record that is too large to be read. */
  oversize(place: RecordPlace): Batch;
  /** A part of a report has ended: nothing is added to it any more. */
  closed(node: JsonNode): Batch | undefined;
  /** A whole report has ended: nothing is added to its nodes any more. */
  document(node: JsonNode): Iterable<Batch>;
}

/** The JSON of a tool: what it is called, where its records are, and how it writes that there are none. */
export interface JsonFormat {
  /** Name of the tool for people. */
  name: string;
  shape: JsonShape;
  /** True for tools that write a list without elements as null, as Go does. Elsewhere a null is no list. */
  writesNullLists?: boolean;
  /** What the tool writes in the place of a report when it found nothing. */
  emptyForms?: readonly EmptyForm[];
}

/** A file that holds nothing but this. */
export type EmptyForm = '[]' | 'null';

/** Keeps count of what was read, so that a report in which nothing can be read is refused instead of imported as none. */
export class Tally {
  readable = 0;
  unreadable = 0;
  firstIssue: string | undefined;

  /** Notes an unreadable record; yields it unless the list is long already. */
  *addUnreadable(where: string, why: string): Generator<ReportRecord> {
    this.unreadable += 1;
    this.firstIssue ??= `${where}: ${why}`;
    if (this.unreadable <= LIMITS.unreadable) yield { kind: 'unreadable', where, why };
  }

  /** @throws ReportError when records were there and not one could be read */
  assertReadable(refuse: (reason: string) => ReportError): void {
    if (this.readable === 0 && this.unreadable > 0) throw refuse(this.firstIssue ?? 'no record could be read');
  }
}

export function parseRecord(bytes: Buffer, from: number, end: number): { value: unknown } | { issue: string } {
  if (end - from > LIMITS.recordBytes) return { issue: 'is larger than 32 MB' };
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', from, end));
    return { value };
  } catch {
    return { issue: 'is not valid JSON' };
  }
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

/** True when brackets of read values are nested more than `levels` deep, those of the list included. */
export function isDeeper(values: readonly unknown[], levels: number): boolean {
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

/** The least that a key takes in JSON, with its value and comma. */
export const KEY_BYTES = 4;
export const TOO_MANY_KEYS = `has more than ${LIMITS.recordKeys.toLocaleString('en')} keys, which no scanner writes`;

/** Whether a record holds more keys than any real one, those of its parts too. */
export function hasTooManyKeys(record: unknown): boolean {
  const waiting: unknown[] = [record];
  let keys = 0;
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const part of Object.values(value)) {
      if (!isList) keys += 1;
      if (keys > LIMITS.recordKeys) return true;
      if (typeof part === 'object' && part !== null) waiting.push(part);
    }
  }
  return false;
}

/** The refusal of another tool's report. */
export const wrongTool = (tool: string, reason: string): ReportError =>
  new ReportError(
    'report_wrong_tool',
    `This is not a report of ${tool}: ${reason}. Check that it was written by ${tool} in a format that is read here.`,
  );

/** Some records of a report, in order. */
export type Batch = Iterable<ReportRecord>;

/** The records of the batches one by one. Only a new batch is waited for: waits per record cost more than some records. */
export function recordsOf(batches: AsyncGenerator<Batch>): AsyncIterable<ReportRecord> {
  return { [Symbol.asyncIterator]: () => new Records(batches) };
}

type Step = IteratorResult<ReportRecord, undefined>;
const END: Step = { done: true, value: undefined };

class Records implements AsyncIterator<ReportRecord, undefined> {
  private readonly batches: AsyncGenerator<Batch>;
  private batch: Iterator<ReportRecord> | undefined;

  constructor(batches: AsyncGenerator<Batch>) {
    this.batches = batches;
  }

  next(): Promise<Step> {
    const step = this.batch?.next();
    return step === undefined || step.done === true ? this.nextBatch() : Promise.resolve(step);
  }

  async return(): Promise<Step> {
    this.batch = undefined;
    await this.batches.return(undefined);
    return END;
  }

  private async nextBatch(): Promise<Step> {
    for (;;) {
      const found = await this.batches.next();
      if (found.done === true) return END;
      this.batch = found.value[Symbol.iterator]();
      const step = this.batch.next();
      if (step.done !== true) return step;
    }
  }
}
