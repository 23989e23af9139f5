import type { Location, NormalizedFinding, Severity } from '@breakwater/sdk';
import { cweNumbers } from '../../lib/cwe.ts';
import { identifiers } from '../../lib/identifiers.ts';
import { KeptByKey } from '../../lib/kept.ts';
import { LIMITS } from '../../lib/limits.ts';
import { normalisePath } from '../../lib/paths.ts';
import { ecosystemOf } from '../../lib/purl.ts';
import { clean, defined, fields, label, labels, list, position, text } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { maskTokens } from '../../lib/secrets.ts';
import { severityFromWord } from '../../lib/severity.ts';
import { oneLine } from '../../lib/text.ts';
import { dataflow } from './dataflow.ts';
import type { Result } from './schema.ts';

/** What the vendor's CLI writes in place of code and fingerprint for people who are not signed in. */
const WITHHELD = 'requires login';

/** Reads results; what they say of their rule is read once for all that say the same. */
export function createResultReader(): (result: Result) => NormalizedFinding {
  const rules = new KeptByKey<NormalizedFinding>();
  return (result) => {
    const extra = fields(result.extra);
    const from = [extra.severity, extra.message, extra.metadata];
    const finding = { ...rules.of(result.check_id, from, () => ruleFinding(result.check_id, extra)) };
    const location = resultLocation(result, extra);
    const codeFlows = dataflow(extra.dataflow_trace);
    const fingerprint = fingerprintOf(extra.fingerprint);
    const mitigation = fixText(extra);
    if (mitigation !== undefined) finding.mitigation = mitigation;
    if (location !== undefined) finding.locations = [location];
    if (codeFlows !== undefined) finding.codeFlows = codeFlows;
    if (fingerprint !== undefined) finding.fingerprint = fingerprint;
    if (extra.sca_info !== undefined && extra.sca_info !== null) {
      finding.type = 'SCA';
      const component = componentOf(fields(extra.sca_info), fields(extra.metadata));
      if (component !== undefined) finding.component = component;
    }
    if (extra.is_ignored === true)
      finding.suppressed = { verdict: 'accepted_risk', reason: 'Ignored by a comment in the code (nosem).' };
    return finding;
  };
}

/** What all results of a rule have in common. */
function ruleFinding(checkId: string, extra: Record<string, unknown>): NormalizedFinding {
  const metadata = fields(extra.metadata);
  const nativeSeverity = label(extra.severity);
  const message = text(extra.message);
  const ruleId = label(checkId) ?? 'unnamed rule';
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(ruleId),
    type: 'SAST' as const,
    severity: severityOf(nativeSeverity),
    nativeSeverity,
    description: isSecretRule(ruleId) && message !== undefined ? maskTokens(message) : message,
    cwe: cweNumbers(metadata.cwe),
    ...identifiers(metadata['sca-vuln-database-identifier'], metadata.cve, metadata.ghsa),
    references: webAddresses(metadata.references, metadata.source, metadata['source-rule-url'], metadata.shortlink),
    policy: policyOf(metadata),
    tags: tagsOf(metadata),
  });
}

function severityOf(word: string | undefined): Severity {
  // INFO is the third of the tool's three levels, not "no risk"; INVENTORY and EXPERIMENT report no weakness.
  if (word?.toUpperCase() === 'INFO') return 'low';
  return severityFromWord(word) ?? 'informational';
}

function isSecretRule(ruleId: string): boolean {
  return /(?:^|\.)secrets(?:\.|$)/.test(ruleId);
}

function resultLocation(result: Result, extra: Record<string, unknown>): Location | undefined {
  const path = normalisePath(result.path);
  if (path === undefined) return undefined;
  const start = fields(result.start);
  const end = fields(result.end);
  const lines = typeof extra.lines === 'string' && extra.lines !== WITHHELD ? extra.lines : undefined;
  const snippet = lines === undefined || lines.trim() === '' ? undefined : clean(lines, LIMITS.snippetChars);
  return defined({
    path,
    startLine: position(start.line),
    endLine: position(end.line),
    startColumn: position(start.col),
    endColumn: position(end.col),
    snippet: snippet !== undefined && isSecretRule(result.check_id) ? maskTokens(snippet) : snippet,
  });
}

function fingerprintOf(value: unknown): string | undefined {
  return value === WITHHELD ? undefined : label(value);
}

function fixText(extra: Record<string, unknown>): string | undefined {
  const fix = text(extra.fix) ?? text(fields(extra.fix_regex).replacement);
  return fix === undefined ? undefined : `Suggested fix:\n\n${fix}`;
}

function componentOf(dependency: Record<string, unknown>, metadata: Record<string, unknown>) {
  const found = fields(fields(dependency.dependency_match).found_dependency);
  const name = label(found.package);
  if (name === undefined) return undefined;
  const ecosystem = label(found.ecosystem);
  return defined({
    name,
    version: label(found.version),
    ecosystem: ecosystem === undefined ? undefined : (ecosystemOf(`pkg:${ecosystem}/`) ?? ecosystem.toLowerCase()),
    fixedVersion: fixedVersion(metadata['sca-fix-versions'], name),
  });
}

function fixedVersion(value: unknown, name: string): string | undefined {
  const versions = list(value).flatMap((entry) => {
    const known = fields(entry);
    return Object.hasOwn(known, name) ? labels(known[name]) : [];
  });
  return versions.length === 0 ? undefined : versions.join(', ');
}

function policyOf(metadata: Record<string, unknown>) {
  const category = label(metadata.category);
  const name = labels(metadata.owasp)[0];
  return category === undefined && name === undefined ? undefined : defined({ name, category });
}

function tagsOf(metadata: Record<string, unknown>): string[] | undefined {
  const tags = [...labels(metadata.technology, 20), ...labels(metadata.subcategory, 5)];
  return tags.length === 0 ? undefined : [...new Set(tags)];
}
