// no text in this file: what findings say is stored in English
import type { AffectedComponent, NormalizedFinding } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { cweNumbers, identifiers, identifiersIn, webAddresses } from '../../lib/findings/identifiers.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { clean, defined, fields, label, labels, list, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { codeFlowsOf, locationsOf } from './location.ts';
import { type RunRules, ratingOf } from './rules.ts';
import type { SarifRun } from './run.ts';

/** A `result`. Source: SARIF 2.1.0 §3.27. Tools leave out nearly everything, rule id and message included. */
export const Result = Type.Object({
  ruleId: Type.Optional(Type.Unknown()),
  message: Type.Optional(Type.Unknown()),
  locations: Type.Optional(Type.Unknown()),
});
export type Result = Static<typeof Result>;
export const resultCheck = recordCheck(Result);

/** Some tools write whole paragraphs as a message. */
const TITLE_CHARS = 200;

/** `tool`: its name, where the format does not tell. Undefined for results that report no problem: passed, not applicable, or gone since the baseline. */
export function resultFinding(record: Result, run: SarifRun, tool?: string): NormalizedFinding | undefined {
  const result = fields(record);
  const kind = label(result.kind) ?? 'fail';
  if (kind !== 'fail' || result.baselineState === 'absent') return undefined;
  const rule = run.rules.ruleOf(result);
  const ruleId = label(result.ruleId) ?? label(fields(result.rule).id) ?? label(rule.id) ?? 'unnamed rule';
  const own = [rule, ...OWN.map((name) => result[name])];
  const finding = { ...run.statements.of(ruleId, own, () => statementOf(result, rule, ruleId, run)) };
  const locations = locationsOf(result.locations, run);
  const codeFlows = codeFlowsOf(result.codeFlows, run);
  const fingerprint = fingerprintOf(result);
  const suppressed = suppressionOf(result.suppressions);
  const date = isoDate(fields(result.provenance).firstDetectionTimeUtc);
  if (tool !== undefined) finding.tool = tool;
  if (locations.length > 0) finding.locations = locations;
  if (codeFlows !== undefined) finding.codeFlows = codeFlows;
  if (fingerprint !== undefined) finding.fingerprint = fingerprint;
  if (suppressed !== undefined) finding.suppressed = suppressed;
  if (date !== undefined) finding.date = date;
  return finding;
}

/** Fields of a result that say what is wrong; the others say where, and how it is known again. */
const OWN = ['message', 'level', 'properties', 'taxa', 'fixes', 'hostedViewerUri'] as const;

/** What a result says is wrong, and its rule of it. Results of one rule often say the same in many places. */
function statementOf(
  result: Record<string, unknown>,
  rule: Record<string, unknown>,
  ruleId: string,
  run: SarifRun,
): NormalizedFinding {
  const ruleProperties = fields(rule.properties);
  const properties = fields(result.properties);
  const message = messageText(result.message, rule, run.rules);
  const tags = [...new Set([...labels(ruleProperties.tags, 50), ...labels(properties.tags, 50)])];
  const component = componentOf(properties, message, rule);
  const ids = identifiersIn(`${ruleId} ${label(rule.name) ?? ''}`);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(message ?? summaryOf(rule) ?? text(rule.name) ?? ruleId, TITLE_CHARS),
    type: run.typeOf({ ruleId, tags, hasComponent: component !== undefined }),
    ...ratingOf(result, rule),
    description: paragraphs(message, text(fields(rule.fullDescription).text) ?? summaryOf(rule)),
    mitigation: mitigationOf(result, rule, component, message),
    cwe: cwesOf(result, rule, tags, run),
    ...identifiers(...ids),
    references: webAddresses(rule.helpUri, result.hostedViewerUri, properties.references, ruleProperties.references),
    component,
    tags: tags.length === 0 ? undefined : tags,
  });
}

function summaryOf(rule: Record<string, unknown>): string | undefined {
  return text(fields(rule.shortDescription).text);
}

/** A fix for this result, else the upgrade, else the rule's help where it is more than the message again. */
function mitigationOf(
  result: Record<string, unknown>,
  rule: Record<string, unknown>,
  component: AffectedComponent | undefined,
  message: string | undefined,
): string | undefined {
  const fixes = list(result.fixes).map((fix) => text(fields(fields(fix).description).text));
  const proposed = paragraphs(...fixes);
  if (proposed !== undefined) return proposed;
  if (component?.fixedVersion !== undefined) return `Upgrade ${component.name} to ${component.fixedVersion}.`;
  const help = text(fields(rule.help).markdown) ?? text(fields(rule.help).text);
  // Scanners of packages repeat the table of the vulnerability here.
  const isRepeated =
    help === undefined || /^\W*Vulnerability /.test(help) || (message !== undefined && help.startsWith(message.trim()));
  return isRepeated ? undefined : help;
}

function cwesOf(
  result: Record<string, unknown>,
  rule: Record<string, unknown>,
  tags: readonly string[],
  run: SarifRun,
) {
  const ruleProperties = fields(rule.properties);
  const properties = fields(result.properties);
  const related = list(rule.relationships).map((relation) => run.cweOf(fields(relation).target));
  const taxa = list(result.taxa).map((taxon) => run.cweOf(taxon));
  const marked = tags.filter((tag) => /\bCWE[-_ :]?\d/i.test(tag));
  const help = /cwe\.mitre\.org\/data\/definitions\/(\d+)/.exec(label(rule.helpUri) ?? '')?.[1];
  return cweNumbers(taxa, related, marked, properties.cwe, ruleProperties.cwe, help);
}

/** Fingerprints that tools keep stable, best first; the rest of `partialFingerprints` may be commit data. */
const STABLE = [
  'primaryLocationLineHash',
  'matchBasedId/v1',
  'contextHash/v1',
  'scanPrimaryLocationHash',
  'scanTagsHash',
];

function fingerprintOf(result: Record<string, unknown>): string | undefined {
  const full = fields(result.fingerprints);
  const partial = fields(result.partialFingerprints);
  for (const name of [...STABLE, ...Object.keys(full).slice(0, 20).sort()]) {
    const source = Object.hasOwn(full, name) ? full : partial;
    if (!Object.hasOwn(source, name)) continue;
    // Black Duck wraps the value in an object.
    const value = label(source[name]) ?? label(fields(source[name]).value);
    if (value !== undefined && value !== 'requires login') return value;
  }
  return undefined;
}

function suppressionOf(value: unknown): NormalizedFinding['suppressed'] {
  for (const entry of list(value)) {
    const suppression = fields(entry);
    const status = label(suppression.status) ?? label(suppression.state) ?? 'accepted';
    if (status !== 'accepted') continue;
    const reason = text(suppression.justification, 2_000);
    return reason === undefined ? { verdict: 'accepted_risk' } : { verdict: 'accepted_risk', reason };
  }
  return undefined;
}

/** Package of a vulnerability: in properties (Black Duck), the message (Trivy) or the rule's help (Grype). */
function componentOf(
  properties: Record<string, unknown>,
  message: string | undefined,
  rule: Record<string, unknown>,
): AffectedComponent | undefined {
  const named = label(properties.component) ?? label(properties.packageName);
  if (named !== undefined) {
    const ecosystem = label(properties.componentOrigin)?.toLowerCase();
    return defined({ name: named, version: label(properties.componentVersion), ecosystem });
  }
  const said = [message, text(fields(rule.help).text, 4_000)].find(
    (part) => part !== undefined && /^Package: \S/m.test(part),
  );
  const field = (name: string) => label(new RegExp(`^${name}: *(\\S.*)$`, 'm').exec(said ?? '')?.[1]);
  const name = field('Package');
  if (name === undefined) return undefined;
  return defined({
    name,
    version: field('Installed Version') ?? field('Version'),
    fixedVersion: field('Fixed Version') ?? field('Fix Version'),
  });
}

/**
 * Text of a message: given directly or by id, placeholders filled in, embedded links reduced to their text.
 * Source: SARIF 2.1.0 §3.11.
 */
function messageText(message: unknown, rule: Record<string, unknown>, rules: RunRules): string | undefined {
  const { text: direct, markdown, id, arguments: values } = fields(message);
  const name = label(id);
  const template =
    text(direct) ?? (name === undefined ? undefined : text(rules.messageText(rule, name))) ?? text(markdown);
  if (template === undefined) return undefined;
  const parts = list(values).map((value) => text(value, 4_000) ?? '');
  const filled = template.replace(/\{\{|\}\}|\{(\d{1,3})\}/g, (match, index: string | undefined) => {
    if (index === undefined) return direct === undefined ? match.slice(1) : match;
    return parts[Number(index)] ?? match;
  });
  return clean(filled.replace(/(?<!\\)\[((?:[^[\]\\]|\\.){1,500})\]\(\d+\)/g, '$1'));
}
