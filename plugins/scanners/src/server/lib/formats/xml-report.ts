import type { ReportInfo, ReportRecord } from '@breakwater/sdk';
import { Tally, wrongTool } from '../json/records.ts';
import type { Made } from '../json/stream-parser.ts';
import type { RecordCheck } from '../values/schema.ts';
import { readXml, type XmlRecord, type XmlShape } from './xml.ts';

export interface XmlFormat<T> {
  shape: XmlShape;
  check: RecordCheck<T>;
  /** The element as the tool's JSON would say it; undefined where it is no result, such as a passed test. */
  record(element: XmlRecord): unknown;
  /** What an element of `heads` says. */
  head?(element: XmlRecord): Iterable<ReportRecord>;
  /** Name of the tool as findings have it, where it is another one than of messages. */
  info?: Omit<ReportInfo, 'kind'>;
}

/**
 * Streams the results of an XML report: what cannot be read is listed, and a report in which nothing can be read is refused.
 * @throws ReportError
 */
export async function* readXmlReport<T>(
  report: AsyncIterable<Uint8Array>,
  { shape, check, record, head, info }: XmlFormat<T>,
  signal: AbortSignal,
  normalise: (value: T, element: XmlRecord) => Made,
): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  let index = 0;
  yield { kind: 'report', toolName: shape.tool, ...info };
  for await (const element of readXml(report, shape, signal)) {
    if (element.isHead) {
      if (head !== undefined) yield* head(element);
      continue;
    }
    const value = record(element);
    if (value === undefined) tally.readable += 1;
    else if (check.accepts(value)) {
      tally.readable += 1;
      const made = normalise(value, element);
      if (made !== undefined && Symbol.iterator in made) yield* made;
      else if (made !== undefined) yield made;
    } else yield* tally.addUnreadable(`${element.path}[${index}]`, check.issue());
    index += 1;
  }
  tally.assertReadable((reason) => wrongTool(shape.tool, reason));
}

/** Where JUnit's XML keeps its results. */
export const junitShape = (tool: string): XmlShape => ({
  root: 'testsuites',
  namespace: '',
  records: ['testsuite/testcase'],
  tool,
});

export interface FailedTest {
  name: string;
  classname: string | undefined;
  file: string | undefined;
  /** Name of the suite. */
  suite: string | undefined;
  /** Attributes of the test and of its failure, which tools extend. */
  attributes: ReadonlyMap<string, string>;
  failure: ReadonlyMap<string, string>;
  /** What stands inside the failure, as it stands there. */
  text: string;
}

/** A test that failed; undefined for one that passed or was skipped. */
export function failedTest({ element, above }: XmlRecord): FailedTest | undefined {
  const failure = element.child('failure') ?? element.child('error');
  if (failure === undefined) return undefined;
  const { attributes } = element;
  return {
    name: attributes.get('name') ?? '',
    classname: attributes.get('classname'),
    file: attributes.get('file'),
    suite: above.at(-1)?.get('name'),
    attributes,
    failure: failure.attributes,
    text: failure.rawText,
  };
}

/** Where checkstyle's XML keeps its results. Source: checkstyle's XMLLogger; linters write the same. */
export const checkstyleShape = (tool: string): XmlShape => ({
  root: 'checkstyle',
  namespace: '',
  records: ['file/error'],
  tool,
});

/** Attributes of an error, and the name of the file that it stands in. */
export function checkstyleError({ element, above }: XmlRecord): { file: string | undefined; error: Attributes } {
  return { file: above.at(-1)?.get('name'), error: Object.fromEntries(element.attributes) };
}

type Attributes = Readonly<Record<string, string | undefined>>;
