import type { ReportRecord } from '@breakwater/sdk';
import { headText } from '../lib/decode.ts';
import { peek } from '../lib/peek.ts';

const START_BYTES = 64 * 1024;

/** Reads a report of one format, all of it. */
export type FormatReader = (report: AsyncIterable<Uint8Array>) => AsyncIterable<ReportRecord>;

/**
 * For tools that write several formats: the reader is picked by how the report begins.
 * @throws ReportError of the reader
 */
export const readByStart = (
  report: AsyncIterable<Uint8Array>,
  pick: (start: string) => FormatReader,
): AsyncIterable<ReportRecord> => ({
  [Symbol.asyncIterator]: () => new Picked(report, pick),
});

/** Beginning of a report as text, without white space before it. */
export const startText = (head: Uint8Array): string =>
  headText(head.subarray(0, START_BYTES)).toString('utf8').trimStart();

type Step = IteratorResult<ReportRecord, undefined>;

/** Hands the records on as they come: a generator would wait once more for each of them. */
class Picked implements AsyncIterator<ReportRecord, undefined> {
  private readonly report: AsyncIterable<Uint8Array>;
  private readonly pick: (start: string) => FormatReader;
  private records: AsyncIterator<ReportRecord> | undefined;

  constructor(report: AsyncIterable<Uint8Array>, pick: (start: string) => FormatReader) {
    this.report = report;
    this.pick = pick;
  }

  next(): Promise<Step> {
    return this.records?.next() ?? this.first();
  }

  async return(): Promise<Step> {
    await this.records?.return?.();
    return { done: true, value: undefined };
  }

  private async first(): Promise<Step> {
    const { head, report } = await peek(this.report, START_BYTES);
    this.records = this.pick(startText(head))(report)[Symbol.asyncIterator]();
    return this.records.next();
  }
}
