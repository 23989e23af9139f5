import type { XmlRecord, XmlShape } from '../lib/xml-records.ts';

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
