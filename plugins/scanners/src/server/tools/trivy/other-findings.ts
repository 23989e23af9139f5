// no text in this file: what findings say is stored in English
import type { Location, NormalizedFinding } from '@breakwater/sdk';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { maskTokens } from '../../lib/findings/secrets.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, label, list, position, text } from '../../lib/values/read.ts';
import type { AnyRecord, Misconfiguration, ModifiedFinding, Target } from './target.ts';
import { misconfigurationCheck, vulnerabilityCheck } from './target.ts';
import { vulnerabilityFinding } from './vulnerability.ts';

/** Undefined for checks that passed or were exempted: those are no findings. */
export function misconfigurationFinding(check: Misconfiguration, target: Target): NormalizedFinding | undefined {
  const record = fields(check);
  const status = label(record.Status)?.toUpperCase();
  if (status !== undefined && status !== 'FAIL') return undefined;
  const cause = fields(record.CauseMetadata);
  const nativeSeverity = label(record.Severity);
  const id = label(check.ID) ?? 'unnamed check';
  const path = normalisePath(target.path);
  return defined({
    kind: 'finding' as const,
    ruleId: id,
    title: oneLine(text(record.Title) ?? text(record.Message) ?? id),
    type: target.misconfigurationType,
    severity: severityFromWord(nativeSeverity) ?? 'informational',
    nativeSeverity,
    description: paragraphs(text(record.Description), text(record.Message)),
    mitigation: text(record.Resolution),
    aliases: aliasesOf(id, record.AVDID),
    references: webAddresses(record.PrimaryURL, record.References),
    locations: path === undefined ? undefined : [located(path, cause, causeLines(cause.Code))],
    resource: label(cause.Resource) ?? target.resource,
    policy: defined({ name: label(record.Type), category: label(cause.Service), control: label(record.AVDID) ?? id }),
  });
}

function aliasesOf(id: string, other: unknown): string[] | undefined {
  const alias = label(other);
  return alias === undefined || alias === id ? undefined : [id, alias];
}

export function secretFinding(secret: AnyRecord, target: Target): NormalizedFinding {
  const record = fields(secret);
  const nativeSeverity = label(record.Severity);
  const id = label(record.RuleID) ?? label(record.VulnerabilityID) ?? 'secret';
  const path = normalisePath(target.path);
  return defined({
    kind: 'finding' as const,
    ruleId: id,
    title: oneLine(text(record.Title) ?? `Secret found: ${id}`),
    type: 'Secrets' as const,
    severity: severityFromWord(nativeSeverity) ?? 'high',
    nativeSeverity,
    cwe: [798],
    mitigation: 'Revoke the secret, then remove it from the code and its history.',
    locations: path === undefined ? undefined : [located(path, record, maskedMatch(record.Match))],
    resource: target.resource,
    policy: label(record.Category) === undefined ? undefined : defined({ category: label(record.Category) }),
  });
}

/** Trivy masks the secret itself; a match without its asterisks is not trusted to be masked. */
function maskedMatch(match: unknown): string | undefined {
  const shown = text(match, LIMITS.snippetChars);
  return shown === undefined || shown.includes('***') ? shown : maskTokens(shown);
}

export function licenseFinding(license: AnyRecord, target: Target): NormalizedFinding {
  const record = fields(license);
  const nativeSeverity = label(record.Severity);
  const name = label(record.Name) ?? 'unknown licence';
  const component = label(record.PkgName);
  const path = normalisePath(record.FilePath) ?? normalisePath(target.path);
  const category = label(record.Category);
  return defined({
    kind: 'finding' as const,
    ruleId: name,
    title: oneLine(`Licence ${name}${component === undefined ? '' : ` of ${component}`}`),
    type: 'License' as const,
    severity: severityFromWord(nativeSeverity) ?? 'informational',
    nativeSeverity,
    description: category === undefined ? undefined : `Licence category: ${category}.`,
    references: webAddresses(record.Link),
    component: component === undefined ? undefined : defined({ name: component, ecosystem: target.type }),
    locations: path === undefined ? undefined : [{ path }],
    resource: target.resource,
    policy: category === undefined ? undefined : { category },
  });
}

export function* modifiedFinding(modified: ModifiedFinding, target: Target): Generator<NormalizedFinding> {
  const finding = originalFinding(modified, target);
  if (finding === undefined) return;
  const record = fields(modified);
  const status = label(record.Status);
  const reason = paragraphs(text(record.Statement), label(record.Source)) ?? status;
  const verdict = status === 'not_affected' ? ('false_positive' as const) : ('accepted_risk' as const);
  yield { ...finding, suppressed: defined({ verdict, reason }) };
}

function originalFinding(modified: ModifiedFinding, target: Target): NormalizedFinding | undefined {
  const { Type: kind, Finding: finding } = modified;
  if (kind === 'vulnerability')
    return vulnerabilityCheck.accepts(finding) ? vulnerabilityFinding(finding, target) : undefined;
  if (kind === 'secret') return secretFinding(finding, target);
  if (kind === 'license') return licenseFinding(finding, target);
  return misconfigurationCheck.accepts(finding) ? misconfigurationFinding(finding, target) : undefined;
}

function located(path: string, lines: Record<string, unknown>, snippet: string | undefined): Location {
  return defined({ path, startLine: position(lines.StartLine), endLine: position(lines.EndLine), snippet });
}

/** The lines that cause the failure, without the context Trivy prints around them. */
function causeLines(code: unknown): string | undefined {
  const lines = list(fields(code).Lines).map(fields);
  const causes = lines.filter((line) => line.IsCause === true);
  const shown = (causes.length > 0 ? causes : lines).map((line) =>
    typeof line.Content === 'string' ? line.Content : '',
  );
  const snippet = clean(shown.join('\n'), LIMITS.snippetChars);
  return snippet.trim() === '' ? undefined : snippet;
}
