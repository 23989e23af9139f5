import { type ParseOptions, ReportError, type ReportParser, type ReportRecord } from '@breakwater/sdk';
import { peek } from '../lib/peek.ts';
import { startText } from './by-start.ts';

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
