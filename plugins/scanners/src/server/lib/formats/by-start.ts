import { type ParseOptions, ReportError, type ReportParser, type ReportRecord } from '@breakwater/sdk';
import { headText, peek } from '../input/decode.ts';

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

type Parse = ReportParser['parse'];

/**
 * The same parser, whose refusals of what is neither JSON nor a web page say how to run the tool: tools write many formats for
 * people, and somebody who uploaded one of those is not helped by a fault of JSON.
 */
export const advised = (parse: Parse, command: string): Parse =>
  async function* withAdvice(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
    const seen = await peek(report, 1_024);
    try {
      yield* parse(seen.report, options);
    } catch (error) {
      throw isOtherFormat(error, startText(seen.head)) ? explained(error, command) : error;
    }
  };

function isOtherFormat(error: unknown, start: string): error is ReportError {
  if (!(error instanceof ReportError) || /^[[{]/.test(start) || start === '') return false;
  return error.code === 'report_malformed' || error.code === 'report_wrong_tool';
}

function explained(error: ReportError, command: string): ReportError {
  const message = `${error.message} If this is another format of the tool, write the report with “${command}”.`;
  return new ReportError(error.code, message, { cause: error });
}
