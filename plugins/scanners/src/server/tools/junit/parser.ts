import type { Location, NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { inCheckout } from '../../lib/findings/checkout-paths.ts';
import { lastingName, partOf } from '../../lib/findings/coverage.ts';
import { identifiers, identifiersIn } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { readByStart, startText } from '../../lib/formats/by-start.ts';
import { rootName, type XmlElement, type XmlRecord, type XmlShape } from '../../lib/formats/xml.ts';
import { readXmlReport, type XmlFormat } from '../../lib/formats/xml-report.ts';
import { defined, label, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { formatOf as banditFormat } from '../bandit/parser.ts';
import { isJunit as isCheckov } from '../checkov/parser.ts';
import { isJunit as isGitleaks } from '../gitleaks/parser.ts';
import { formatOf as terrascanFormat } from '../terrascan/parser.ts';
import { formatOf as tflintFormat } from '../tflint/parser.ts';

const NAME = 'JUnit';

/** Reports of tools that have an importer of their own, which knows more of them. */
const isReadElsewhere = (start: string): boolean =>
  isCheckov(start) ||
  isGitleaks(start) ||
  banditFormat(start) === 'xml' ||
  terrascanFormat(start) === 'junit' ||
  tflintFormat(start) === 'junit';

/** Suites stand in suites, and a file may hold one alone. Source: the schemas of Ant's and Surefire's reports, which others extend. */
const shapeOf = (start: string): XmlShape => ({
  root: rootName(start) === 'testsuite' ? 'testsuite' : 'testsuites',
  namespace: '',
  records: [],
  anywhere: ['testcase'],
  tool: NAME,
});

/** A test that failed. Its name is the rule that was broken. */
const FailedTest = Type.Object({ name: Type.String({ minLength: 1 }) });
type FailedTest = Static<typeof FailedTest>;

function recogniseJunit(head: Uint8Array): number {
  const start = startText(head);
  if (!start.startsWith('<') || !/^testsuites?$/.test(rootName(start) ?? '')) return 0;
  return isReadElsewhere(start) ? 0 : 0.9;
}

/** @throws ReportError */
const parseJunit = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => (whole) => inCheckout(parseTests(whole, shapeOf(start), options)));

async function* parseTests(
  report: AsyncIterable<Uint8Array>,
  shape: XmlShape,
  { signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  let named: string | undefined;
  const format: XmlFormat<FailedTest> = {
    shape,
    check: recordCheck(FailedTest),
    record({ element, above }) {
      named ??= above[0]?.get('name');
      if (failuresOf(element).length === 0) return undefined;
      return { name: element.attributes.get('name') || element.attributes.get('classname') };
    },
  };
  yield* readXmlReport(report, format, signal, (test, record) =>
    failuresOf(record.element).map((failure) => failureFinding(test, record, failure)),
  );
  yield* partOf({ suites: lastingName(named) });
}

const failuresOf = (test: XmlElement): XmlElement[] =>
  test.children.filter(({ name }) => name === 'failure' || name === 'error');

function failureFinding(test: FailedTest, { element, above }: XmlRecord, failure: XmlElement): NormalizedFinding {
  const [rated, name] = ratedName(test.name);
  const message = text(failure.attributes.get('message'));
  const details = text(failure.text);
  const nativeSeverity = severityWord(
    [failure.attributes.get('severity'), element.attributes.get('severity'), rated],
    failure,
  );
  const place = placeOf([failure.attributes, element.attributes, ...above.toReversed()]);
  const ruleId = label(name) ?? 'unnamed test';
  const ids = identifiers(...identifiersIn(name));
  const subject = label(element.attributes.get('classname')) ?? label(above.at(-1)?.get('name'));
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(message ?? details?.split('\n', 1)[0] ?? ruleId),
    type: ids.aliases === undefined ? ('SAST' as const) : ('SCA' as const),
    severity: severityFromWord(nativeSeverity) ?? ('informational' as const),
    nativeSeverity,
    description: paragraphs(message, details),
    ...ids,
    locations: place === undefined ? undefined : [place],
    resource: place === undefined ? subject : undefined,
  });
}

/** `[HIGH] CVE-2020-1967`, as Trivy's template has it: the severity, and the name without it. */
function ratedName(name: string): [severity: string | undefined, name: string] {
  const found = /^\s*\[([A-Za-z]{3,13})\]\s*(?=\S)/.exec(name);
  return severityFromWord(found?.[1]) === undefined ? [undefined, name] : [found?.[1], name.slice(found?.[0].length)];
}

/** What says how bad it is. The type of a failure is one for linters; elsewhere it is the class of an exception. */
function severityWord(words: readonly (string | undefined)[], failure: XmlElement): string | undefined {
  const type = failure.attributes.get('type');
  const said = words.map(label).find((word) => word !== undefined);
  return said ?? (severityFromWord(type) === undefined ? undefined : type);
}

/** The place that the nearest element with one names: `file` and `line`, or a class name that ends in `:line` or `:line:column`. */
function placeOf(near: readonly ReadonlyMap<string, string>[]): Location | undefined {
  for (const attributes of near) {
    const file = ['file', 'filename', 'filepath'].map((name) => attributes.get(name)).find(Boolean);
    const classname = attributes.get('classname') ?? '';
    const named = file ?? (LINE.test(classname) ? classname : undefined);
    if (named === undefined) continue;
    const [end = '', line, column] = LINE.exec(named) ?? [];
    const path = normalisePath(named.slice(0, named.length - end.length));
    if (path === undefined) continue;
    const startLine = position(line) ?? position(attributes.get('line') ?? attributes.get('lineno'));
    return defined({ path, startLine, startColumn: position(column) ?? position(attributes.get('column')) });
  }
  return undefined;
}

const LINE = /(?<=[^:/\\]):(\d{1,9})(?::(\d{1,9}))?$/;

export const junit: ReportParser = {
  tool: 'junit',
  formats: ['xml'],
  reads: {
    part: { suites: '`name` of the root, unless a checkout folder' },
    failure: [],
    identity: 'test and path, or test and class',
  },
  recognise: recogniseJunit,
  parse: parseJunit,
};
