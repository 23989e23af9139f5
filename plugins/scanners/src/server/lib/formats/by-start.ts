import { type ParseOptions, ReportError, type ReportParser, type ReportRecord } from '@breakwater/sdk';
import { headText, peek } from '../input/decode.ts';
import { isWebPage } from '../json/report.ts';
import { refuseUnread } from './unread-tools.ts';

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
): AsyncIterable<ReportRecord> => readByHead(report, (head) => pick(startText(head)));

/** As `readByStart`, by the first bytes as they stand. */
const readByHead = (
  report: AsyncIterable<Uint8Array>,
  pick: (head: Buffer) => FormatReader,
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
  private readonly pick: (head: Buffer) => FormatReader;
  private records: AsyncIterator<ReportRecord> | undefined;

  constructor(report: AsyncIterable<Uint8Array>, pick: (head: Buffer) => FormatReader) {
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
    this.records = this.pick(head)(report)[Symbol.asyncIterator]();
    return this.records.next();
  }
}

type Parse = ReportParser['parse'];

/**
 * The same parser, whose refusals of what is neither JSON nor a web page say how to run the tool: tools write many formats for
 * people, and somebody who uploaded one of those is not helped by an error of JSON.
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

/** How sure another importer has to be before a report is taken for its tool's. */
const SURE = 0.8;

interface NamedParser {
  title: string;
  parser: ReportParser;
}

/**
 * The same parser, which refuses a report in which it sees nothing of its own when another importer recognises it, and a web page in the place
 * of a report. Each tool is recognised by its parser alone: this is the only place that compares them.
 */
export function refusingOthers(parser: ReportParser, title: string, all: readonly NamedParser[]): ReportParser {
  const importers = new Set(all.map((known) => known.parser.tool));
  const refuse = (head: Uint8Array): void => {
    refuseUnread(head, importers);
    if (parser.recognise(head) > 0) return;
    if (isWebPage(head)) throw webPage();
    const other = all.find((known) => known.parser !== parser && known.parser.recognise(head) >= SURE);
    if (other === undefined) return;
    throw new ReportError(
      'report_wrong_tool',
      `This is not a report of ${title}: it looks like one of ${other.title}. Choose that tool and upload it again.`,
    );
  };
  const parse: Parse = (report, options) =>
    readByHead(report, (head) => {
      // somebody said what the columns are
      if (options.mapping === undefined) refuse(head.subarray(0, START_BYTES));
      return (whole) => parser.parse(whole, options);
    });
  return { ...parser, parse };
}

const webPage = (): ReportError =>
  new ReportError(
    'report_malformed',
    'The file is a web page (<html>), not a report: probably the error or sign-in page of a proxy. Nothing was imported.',
  );
