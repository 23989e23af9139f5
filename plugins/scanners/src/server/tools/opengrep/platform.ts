import type { Epss, NormalizedFinding } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { cweNumbers, identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { isoDate, oneLine } from '../../lib/findings/text.ts';
import { defined, fields, label, labels, list, number, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

/** One element of `findings`, as the platform's API lists them. Source: Semgrep Web App API, deployments/{slug}/findings. */
const PlatformFinding = Type.Object({
  rule_name: Type.String({ minLength: 1 }),
  location: Type.Object({ file_path: Type.String() }),
});
export type PlatformFinding = Static<typeof PlatformFinding>;
export const platformCheck = recordCheck(PlatformFinding);

export function platformFinding(found: PlatformFinding): NormalizedFinding {
  const record = fields(found);
  const rule = fields(record.rule);
  const place = fields(found.location);
  const path = normalisePath(place.file_path);
  const ruleId = label(record.rule_name) ?? 'unnamed rule';
  const nativeSeverity = label(record.severity);
  const dependency = fields(record.found_dependency);
  const isDependency = label(dependency.package) !== undefined;
  const category = label(rule.category) ?? labels(record.categories)[0];
  const owasp = labels(rule.owasp_names)[0];
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(ruleId),
    type: isDependency ? ('SCA' as const) : ('SAST' as const),
    severity: severityFromWord(nativeSeverity) ?? ('informational' as const),
    nativeSeverity,
    description: text(record.rule_message) ?? text(rule.message),
    mitigation: adviceOf(record),
    cwe: cweNumbers(rule.cwe_names),
    ...identifiers(record.vulnerability_identifier),
    epss: epssOf(record.epss_score),
    references: webAddresses(record.line_of_code_url),
    component: isDependency ? componentOf(dependency, record) : undefined,
    locations:
      path === undefined
        ? undefined
        : [
            defined({
              path,
              startLine: position(place.line),
              endLine: position(place.end_line),
              startColumn: position(place.column),
              endColumn: position(place.end_column),
            }),
          ],
    fingerprint: label(record.match_based_id),
    policy: category === undefined && owasp === undefined ? undefined : defined({ name: owasp, category }),
    suppressed: triaged(record),
    date: isoDate(record.relevant_since) ?? isoDate(record.created_at),
    tags: tagsOf(rule),
  });
}

function adviceOf(record: Record<string, unknown>): string | undefined {
  const { guidance } = fields(record.assistant);
  const { summary, instructions } = fields(guidance);
  const advice = [text(summary), text(instructions)].filter((part) => part !== undefined);
  return advice.length === 0 ? undefined : advice.join('\n\n');
}

function epssOf(value: unknown): Epss | undefined {
  const { score, percentile } = fields(value);
  const probability = number(score) ?? number(value);
  if (probability === undefined || probability < 0 || probability > 1) return undefined;
  const rank = number(percentile);
  return rank !== undefined && rank >= 0 && rank <= 1 ? { probability, percentile: rank } : { probability };
}

function componentOf(dependency: Record<string, unknown>, record: Record<string, unknown>) {
  const name = label(dependency.package) ?? 'unnamed package';
  const fix = list(record.fix_recommendations)
    .map(fields)
    .find((entry) => entry.package === name);
  return defined({
    name,
    version: label(dependency.version),
    ecosystem: label(dependency.ecosystem)?.toLowerCase(),
    fixedVersion: label(fix?.version),
  });
}

/** What somebody decided in the platform, with the comment. */
function triaged(record: Record<string, unknown>): NormalizedFinding['suppressed'] {
  const states = [record.status, record.triage_state, record.state].map((value) => label(value)?.toLowerCase());
  const reason = label(record.triage_comment) ?? label(record.triage_reason);
  if (states.includes('fixed')) return { verdict: 'mitigated_externally', reason: 'Fixed in the Semgrep platform.' };
  if (!states.includes('ignored') && !states.includes('muted')) return undefined;
  const verdict = label(record.triage_reason) === 'false_positive' ? 'false_positive' : 'accepted_risk';
  return defined({ verdict, reason } as const);
}

function tagsOf(rule: Record<string, unknown>): string[] | undefined {
  const tags = [...labels(rule.vulnerability_classes, 10), ...labels(rule.subcategories, 5)];
  return tags.length === 0 ? undefined : tags;
}
