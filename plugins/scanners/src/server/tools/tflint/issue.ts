// no text in this file: what findings say is stored in English
import type { Location, NormalizedFinding, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine } from '../../lib/findings/text.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, label, list, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const Text = Type.String({ minLength: 1 });

/** One element of `issues`. Source: tflint formatter/json.go, versions 0.8 to 0.59. */
const Issue = Type.Object({ rule: Type.Object({ name: Text }), message: Type.Optional(Type.Unknown()) });
/** An element of the list that versions before 0.8 wrote. */
const EarlyIssue = Type.Object({ detector: Text, file: Type.Optional(Type.Unknown()) });

export const TflintIssue = Type.Union([Issue, EarlyIssue]);
export type TflintIssue = Static<typeof TflintIssue>;
export const issueCheck = recordCheck(TflintIssue);

export function issueFinding(issue: TflintIssue): NormalizedFinding {
  const record = fields(issue);
  const rule = fields(record.rule);
  const ruleId = label(rule.name) ?? label(record.detector) ?? 'unnamed rule';
  const message = text(record.message);
  const nativeSeverity = label(rule.severity) ?? label(record.type);
  const locations = record.range === undefined ? earlyLocation(record) : locationsOf(record);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(message ?? ruleId),
    type: 'IaC' as const,
    severity: severityOf(nativeSeverity),
    nativeSeverity,
    description: message,
    references: webAddresses(rule.link, record.link),
    locations: locations.length === 0 ? undefined : locations,
    tags: record.fixable === true ? ['fixable'] : undefined,
    language: 'terraform',
  });
}

/** Levels are error, warning and notice, which newer versions call info: the third of three, not "no risk". */
function severityOf(level: string | undefined): Severity {
  return /^(?:info|notice)$/i.test(level ?? '') ? 'low' : (severityFromWord(level) ?? 'informational');
}

/** The place first, then the calls of modules that lead to it. */
function locationsOf(record: Record<string, unknown>): Location[] {
  const place = rangeOf(record.range);
  const calls = list(record.callers)
    .slice(0, LIMITS.locations)
    .flatMap((caller) => rangeOf(caller))
    .filter((call) => !place.some((first) => first.path === call.path && first.startLine === call.startLine))
    .map((call) => ({ ...call, message: 'In the chain of module calls' }));
  return [...place, ...calls];
}

function rangeOf(value: unknown): Location[] {
  const { filename, start, end } = fields(value);
  const path = normalisePath(filename);
  if (path === undefined) return [];
  return [
    defined({
      path,
      startLine: position(fields(start).line),
      endLine: position(fields(end).line),
      startColumn: position(fields(start).column),
      endColumn: position(fields(end).column),
    }),
  ];
}

function earlyLocation(record: Record<string, unknown>): Location[] {
  const path = normalisePath(record.file);
  return path === undefined ? [] : [defined({ path, startLine: position(record.line) })];
}
