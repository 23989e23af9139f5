import type { NormalizedFinding, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { hasKeys, innerHas, sketchJson, textsUnder } from '../../lib/json/sketch.ts';
import { fields, label, number, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const Text = Type.String({ minLength: 1 });

/** One element of the `results` that the command line of Checkmarx One writes. Source: ast-cli, internal/wrappers/results-json.go. */
export const OneResult = Type.Object({ type: Text, severity: Text });
export type OneResult = Static<typeof OneResult>;
export const oneResultCheck = recordCheck(OneResult);
/** One that stands alone, where nothing around it tells the tool: linters write issues with a type and a severity, too. */
export const looseResultCheck = recordCheck(
  Type.Union([
    Type.Object({ ...OneResult.properties, data: Type.Object({}) }),
    Type.Object({ ...OneResult.properties, similarityId: Type.Unknown() }),
  ]),
);

/** A result below a query, technology or package of the report service. Its place says what it is. */
const ReportResult = Type.Object({ severity: Text });
export const reportResultCheck = recordCheck(ReportResult);

/** One element of CxFlow's `xissues`. Source: cx-flow, dto/ScanResults.java. */
const FlowIssue = Type.Object({ vulnerability: Text });
export type FlowIssue = Static<typeof FlowIssue>;
export const flowIssueCheck = recordCheck(FlowIssue);

/** A vulnerability of CxOSA, which names its library, or at least what it is. */
export const OsaVulnerability = Type.Union([
  Type.Object({ libraryId: Text, severity: Type.Unknown() }),
  Type.Object({ cveName: Text, severity: Type.Unknown() }),
]);
export type OsaVulnerability = Static<typeof OsaVulnerability>;
export const osaVulnerabilityCheck = recordCheck(OsaVulnerability);

/** A vulnerability of the SCA risk report. */
const ScaVulnerability = Type.Object({ Id: Text, PackageId: Type.Unknown() });
export const scaVulnerabilityCheck = recordCheck(ScaVulnerability);

/** A vulnerability in GitLab's format, as Checkmarx writes it. */
const GitlabVulnerability = Type.Object({
  identifiers: Type.Array(Type.Unknown()),
  name: Type.Optional(Type.Unknown()),
});
export type GitlabVulnerability = Static<typeof GitlabVulnerability>;
export const gitlabVulnerabilityCheck = recordCheck(GitlabVulnerability);

/** What stands alone: a result, or one of the two lists of CxOSA. */
export const anyCheck = recordCheck(Type.Unknown());

/** States that people give results, by number in SAST's XML. */
const NOT_EXPLOITABLE = '1';

/** A result that was found not to be exploitable, was muted, or is gone. "Proposed" not exploitable is still open. */
export function suppressionOf(state: unknown, status: unknown, comment: unknown): NormalizedFinding['suppressed'] {
  const word = (label(state) ?? '').toLowerCase().replace(/[\s-]+/g, '_');
  const isFixed = /^(?:fixed|resolved)$/i.test(label(status) ?? '');
  const isFalse = word === 'not_exploitable' || word === NOT_EXPLOITABLE;
  const isMuted = word === 'muted' || word === 'snoozed' || word === 'ignored';
  if (!isFixed && !isFalse && !isMuted) return undefined;
  const reason = isFixed ? 'Fixed' : isFalse ? 'Not exploitable' : `Marked as ${word}`;
  const why = text(comment, 2_000);
  return {
    verdict: isFixed ? 'mitigated_externally' : isMuted ? 'accepted_risk' : 'false_positive',
    reason: why === undefined ? reason : `${reason}: ${why}`,
  };
}

/** ISO text, or `{seconds}` as protobuf writes it. */
export function dateOf(value: unknown): string | undefined {
  const seconds = number(fields(value).seconds);
  if (seconds !== undefined && seconds > 0 && seconds < 32_503_680_000) return new Date(seconds * 1_000).toISOString();
  return isoDate(value);
}

/** "Sunday, February 25, 2018 11:35:52 AM", which no other country's notation looks like. */
export function longDate(value: string | undefined): string | undefined {
  const match = /^\w+, ([A-Z][a-z]+ \d{1,2}, \d{4} \d{1,2}:\d{2}:\d{2} [AP]M)$/.exec(value ?? '');
  const stamp = match === null ? Number.NaN : Date.parse(`${match[1]} UTC`);
  return Number.isFinite(stamp) ? new Date(stamp).toISOString() : undefined;
}

export function severityOf(word: string | undefined): Severity {
  return severityFromWord(word) ?? 'informational';
}

/** True for Checkmarx's JSON of every kind but CxOSA's; it also writes GitLab's format, where only a name tells. */
export function isCheckmarxJson(head: Uint8Array): boolean {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'xissues') || hasKeys(sketch, 'RiskReportSummary')) return true;
  if (innerHas(sketch, 'results', 'similarityId', 'state') || hasKeys(sketch, 'totalCount', 'scanID')) return true;
  const isReport = ['scanResults', 'scanInformation', 'executiveSummary'].some((key) => sketch.keys.has(key));
  if (hasKeys(sketch, 'reportHeader') && isReport) return true;
  if (!hasKeys(sketch, 'scan')) return false;
  return [...textsUnder(head, 'scanner', 'name'), ...textsUnder(head, 'analyzer', 'name')].some((name) =>
    /^checkmarx/i.test(name),
  );
}
