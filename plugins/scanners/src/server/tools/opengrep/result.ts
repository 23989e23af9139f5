// no text in this file: what findings say is stored in English
import type { Location, NormalizedFinding, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { cweNumbers, identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { ecosystemOf, normalisePath } from '../../lib/findings/packages.ts';
import { maskTokens } from '../../lib/findings/secrets.ts';
import { severityFromWord, vulnerabilitySeverity } from '../../lib/findings/severity.ts';
import { isoDate, oneLine } from '../../lib/findings/text.ts';
import { LIMITS } from '../../lib/limits.ts';
import { KeptByKey } from '../../lib/values/kept.ts';
import { clean, defined, fields, label, labels, list, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

/**
 * One element of `results`. Source: semgrep_output_v1.atd of Semgrep 0.x-1.9x, which OpenGrep keeps; `extra` has grown
 * with every version, so only rule and path must be there.
 */
const Result = Type.Object({
  check_id: Type.String({ minLength: 1 }),
  path: Type.String(),
  start: Type.Optional(Type.Unknown()),
  end: Type.Optional(Type.Unknown()),
  extra: Type.Optional(Type.Unknown()),
});
type Result = Static<typeof Result>;
export const resultCheck = recordCheck(Result);

/** One element of `vulns`: the supply-chain export of the vendor's platform. */
const SupplyChainVulnerability = Type.Object({
  advisory: Type.Object({ ruleId: Type.String({ minLength: 1 }) }),
  title: Type.Optional(Type.Unknown()),
  matchedDependency: Type.Optional(Type.Unknown()),
  dependencyFileLocation: Type.Optional(Type.Unknown()),
  closestSafeDependency: Type.Optional(Type.Unknown()),
  triage: Type.Optional(Type.Unknown()),
  openedAt: Type.Optional(Type.Unknown()),
  exposureType: Type.Optional(Type.Unknown()),
  transitivity: Type.Optional(Type.Unknown()),
});
type SupplyChainVulnerability = Static<typeof SupplyChainVulnerability>;
export const vulnerabilityCheck = recordCheck(SupplyChainVulnerability);

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

/**
 * Steps of a taint trace, source to sink. A step is `["CliLoc", [location, code]]` or, through calls,
 * `["CliCall", [[location, code], [variables], trace]]`. Source: semgrep_output_v1.atd `match_call_trace`.
 */
function dataflow(trace: unknown): Location[][] | undefined {
  const { taint_source: source, intermediate_vars: variables, taint_sink: sink } = fields(trace);
  if (source === undefined && sink === undefined) return undefined;
  const steps = [
    ...callTrace(source, 'Source', 0),
    ...list(variables).flatMap((variable) => variableStep(variable)),
    ...callTrace(sink, 'Sink', 0).reverse(),
  ];
  return steps.length === 0 ? undefined : [steps.slice(0, LIMITS.flowSteps)];
}

function callTrace(value: unknown, message: string, depth: number): Location[] {
  const [kind, content] = list(value);
  const parts = list(content);
  if (kind === 'CliLoc') return step(parts[0], parts[1], message);
  if (kind !== 'CliCall' || depth > 20) return [];
  const [place, code] = list(parts[0]);
  return [
    ...callTrace(parts[2], message, depth + 1),
    ...list(parts[1]).flatMap((variable) => variableStep(variable)),
    ...step(place, code, 'Call'),
  ];
}

function variableStep(value: unknown): Location[] {
  const variable = fields(value);
  return step(variable.location, variable.content, 'Passes through');
}

function step(place: unknown, code: unknown, message: string): Location[] {
  const { path: file, start, end } = fields(place);
  const path = normalisePath(file);
  if (path === undefined) return [];
  return [
    defined({
      path,
      startLine: position(fields(start).line),
      endLine: position(fields(end).line),
      startColumn: position(fields(start).col),
      endColumn: position(fields(end).col),
      snippet: typeof code === 'string' && code.trim() !== '' ? clean(code, LIMITS.snippetChars) : undefined,
      message,
    }),
  ];
}

export function supplyChainFinding(record: SupplyChainVulnerability): NormalizedFinding {
  const advisory = fields(record.advisory);
  const references = fields(advisory.references);
  const dependency = fields(record.matchedDependency);
  const file = fields(record.dependencyFileLocation);
  const ruleId = label(advisory.ruleId) ?? 'unnamed advisory';
  const nativeSeverity = label(advisory.severity);
  const path = normalisePath(file.path);
  const name = label(dependency.name);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(advisory.title) ?? text(record.title) ?? ruleId),
    type: 'SCA' as const,
    severity: vulnerabilitySeverity(nativeSeverity, undefined),
    nativeSeverity,
    description: text(advisory.description),
    mitigation: upgradeText(record.closestSafeDependency),
    cwe: cweNumbers(references.cweIds),
    ...identifiers(...list(references.cveIds)),
    references: webAddresses(references.urls),
    component:
      name === undefined
        ? undefined
        : defined({
            name,
            version: label(dependency.versionSpecifier),
            ecosystem: advisoryEcosystem(advisory, name),
            fixedVersion: label(fields(record.closestSafeDependency).versionSpecifier),
          }),
    locations: path === undefined ? undefined : [defined({ path, startLine: position(file.startLine) })],
    suppressed: suppression(record.triage),
    date: isoDate(record.openedAt),
    tags: [label(record.exposureType), label(record.transitivity)].filter((tag) => tag !== undefined),
  });
}

/** The advisory's ecosystem is that of its first package; the dependency may be its namesake in another. */
function advisoryEcosystem(advisory: Record<string, unknown>, name: string): string | undefined {
  const isNamed = list(advisory.vulnerableDependencies).some((dependency) => fields(dependency).name === name);
  return isNamed ? label(advisory.ecosystem) : undefined;
}

function upgradeText(safe: unknown): string | undefined {
  const { name, versionSpecifier } = fields(safe);
  const version = label(versionSpecifier);
  return version === undefined ? undefined : `Upgrade ${label(name) ?? 'the package'} to ${version} or later.`;
}

function suppression(triage: unknown): NormalizedFinding['suppressed'] {
  const { status, dismissReason } = fields(triage);
  if (status !== 'IGNORED' && status !== 'DISMISSED') return undefined;
  const reason = label(dismissReason);
  const verdict = reason === 'FALSE_POSITIVE' ? 'false_positive' : 'accepted_risk';
  return reason === undefined || reason === 'UNKNOWN_REASON' ? { verdict } : { verdict, reason };
}
