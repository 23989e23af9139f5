import type { ReportRecord } from '@breakwater/sdk';
import { Tally, wrongTool } from '../lib/records.ts';
import type { RecordCheck } from '../lib/schema.ts';
import { readXml, type XmlRecord, type XmlShape } from '../lib/xml-records.ts';

export interface XmlFormat<T> {
  shape: XmlShape;
  check: RecordCheck<T>;
  /** The element as the tool's JSON would say it; undefined where it is no result, such as a passed test. */
  record(element: XmlRecord): unknown;
}

/**
 * Streams the results of an XML report: what cannot be read is listed, and a report in which nothing can be read is refused.
 * @throws ReportError
 */
export async function* readXmlReport<T>(
  report: AsyncIterable<Uint8Array>,
  { shape, check, record }: XmlFormat<T>,
  signal: AbortSignal,
  normalise: (value: T) => ReportRecord,
): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  let index = 0;
  yield { kind: 'report', toolName: shape.tool };
  for await (const element of readXml(report, shape, signal)) {
    const value = record(element);
    if (value === undefined) tally.readable += 1;
    else if (check.accepts(value)) {
      tally.readable += 1;
      yield normalise(value);
    } else yield* tally.fault(`${element.path}[${index}]`, check.fault());
    index += 1;
  }
  tally.assertReadable((reason) => wrongTool(shape.tool, undefined, reason));
}
