import type { ReportRecord } from '@breakwater/sdk';
import { indexJson, type JsonReport, type JsonShape } from './json-report.ts';
import { brokenLines, refuseForeign, Tally, wrongTool } from './records.ts';

/** A tool's JSON: its name for people, and where its records are. */
export interface JsonFormat {
  name: string;
  shape: JsonShape;
}

/** Turns an indexed report into records; what cannot be read goes to the tally. */
export type JsonReader = (json: JsonReport, tally: Tally) => Iterable<ReportRecord>;

/**
 * The frame of every JSON importer: index, refuse what shows another tool's marks, read, list broken lines, and refuse a
 * report in which nothing could be read.
 * @throws ReportError
 */
export function* readJsonReport(bytes: Buffer, format: JsonFormat, read: JsonReader): Generator<ReportRecord> {
  const json = indexJson(bytes, format.shape);
  refuseForeign(bytes, format.name);
  const tally = new Tally();
  yield* read(json, tally);
  yield* brokenLines(json, tally);
  tally.assertReadable((reason) => wrongTool(format.name, undefined, reason));
}
