import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { inCheckout } from '../../lib/findings/checkout-paths.ts';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { linterOfRule, OnlyLinter } from '../../lib/findings/linters.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine } from '../../lib/findings/text.ts';
import { startText } from '../../lib/formats/by-start.ts';
import { checkstyleError, checkstyleShape, readXmlReport, type XmlFormat } from '../../lib/formats/xml-report.ts';
import { defined, fields, label, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'Checkstyle';
/** Rules of linters that have an importer of their own, which knows more of them. */
const OWN_IMPORTER = /\ssource=['"](?:ShellCheck\.|(?:DL|SC)\d{4}['"])|\slink="[^"]{0,500}"\s+rule="/;

const Violation = Type.Object({ file: Type.String({ minLength: 1 }), message: Type.String() });
type Violation = Static<typeof Violation>;

/** Source: checkstyle's XMLLogger; PHP_CodeSniffer, ktlint, detekt, golangci-lint and many others write the same. */
const XML: XmlFormat<Violation> = {
  shape: checkstyleShape(NAME),
  check: recordCheck(Violation),
  record(element) {
    const { file, error } = checkstyleError(element);
    return { ...error, file };
  },
};

function recogniseCheckstyle(head: Uint8Array): number {
  const start = startText(head);
  if (!/^(?:<\?xml[^>]{0,200}\?>\s*)?<checkstyle[\s>/]/.test(start) || OWN_IMPORTER.test(start)) return 0;
  return /<error\s/.test(start) ? 0.9 : 0.8;
}

function violationFinding(violation: Violation): NormalizedFinding {
  const record = fields(violation);
  const ruleId = label(record.source) ?? 'unnamed rule';
  const message = text(violation.message);
  const nativeSeverity = label(record.severity);
  const path = normalisePath(violation.file);
  const place = { startLine: position(record.line), startColumn: position(record.column) };
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(message ?? ruleId),
    type: 'SAST' as const,
    severity: severityFromWord(nativeSeverity) ?? 'informational',
    nativeSeverity,
    description: message,
    references: webAddresses(record.link),
    locations: path === undefined ? undefined : [defined({ path, ...place })],
  });
}

async function* parseViolations(
  report: AsyncIterable<Uint8Array>,
  { signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const linter = new OnlyLinter();
  yield* readXmlReport(report, XML, signal, (violation) => {
    const finding = violationFinding(violation);
    linter.see(linterOfRule(finding.ruleId));
    return finding;
  });
  yield* linter.part();
}

export const checkstyle: ReportParser = {
  tool: 'checkstyle',
  formats: ['xml'],
  reads: {
    part: { linter: 'prefix of `source`, where all that name a linter name the same' },
    isPartOnlyTool: true,
    failure: [],
    identity: 'rule and path',
  },
  recognise: recogniseCheckstyle,
  parse: (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
    inCheckout(parseViolations(report, options)),
};
