import { findingIssues, isNormalizedFinding, ReportError, type ReportParser, type ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import type { ReportTool } from '../../../platform/model/connector-catalogue.ts';
import { msg } from '../../../platform/model/message.ts';

/** A record is at most this long; a connector that yields more has lost its way. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Lines of a stream, without decoding more than one at a time. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of bytes) {
    const data = Buffer.concat([rest, piece]);
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end !== -1; end = data.indexOf(NEWLINE, start)) {
      yield data.toString('utf8', start, end);
      start = end + 1;
    }
    rest = data.subarray(start);
    if (rest.length > MAX_LINE_BYTES) throw new ReportError('report_too_complex', msg('A record is larger than 8 MB.'));
  }
  if (rest.length > 0) yield rest.toString('utf8');
}

/** Rules that the connector could not evaluate this time. */
const Unchecked = Type.Object(
  {
    kind: Type.Literal('coverage'),
    unchecked: Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { maxItems: 1000 }),
  },
  { additionalProperties: false },
);

const recordOf = (line: string, number: number): ReportRecord => {
  const where = `record ${number}`;
  try {
    const value: unknown = JSON.parse(line);
    if (isNormalizedFinding(value) || Check(Unchecked, value)) return value;
    return { kind: 'unreadable', where, why: findingIssues(value).slice(0, 3).join('; ') };
  } catch {
    return { kind: 'unreadable', where, why: 'is not JSON' };
  }
};

/** Reads what a connector yielded: one finding, or the rules that were not evaluated, in JSON a line. What is none is listed; the rest is imported. */
const parser: ReportParser = {
  tool: 'records',
  formats: ['jsonl'],
  emptyMeansNone: true,
  recognise: () => 0,
  async *parse(report) {
    let number = 0;
    for await (const line of linesOf(report)) {
      number += 1;
      yield recordOf(line, number);
    }
  },
};

/** The importer of records that a connector pulled, under the name of the tool that they are from. */
export const recordsTool = (toolId: string): ReportTool => ({
  id: toolId,
  tool: toolId,
  title: toolId,
  family: null,
  connectorId: null,
  formats: parser.formats,
  parser,
});
