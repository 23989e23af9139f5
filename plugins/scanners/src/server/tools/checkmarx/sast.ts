import type { Location, NormalizedFinding } from '@breakwater/sdk';
import { cweNumbers } from '../../lib/cwe.ts';
import { LIMITS } from '../../lib/limits.ts';
import { normalisePath } from '../../lib/paths.ts';
import { clean, defined, fields, label, list, position } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';
import { severityOf } from './state.ts';

/** What every format says of a path through the code. */
export interface SastFacts {
  ruleId: string;
  title: string;
  severity: string | undefined;
  /** From source to sink. */
  steps: readonly Location[];
  /** Where the tool puts the result, when that is not the first step. */
  place?: Location | undefined;
  description?: string | undefined;
  mitigation?: string | undefined;
  cwe?: unknown;
  group?: string | undefined;
  language?: string | undefined;
  /** Checkmarx's own identity of a path; stays when lines move. */
  similarityId?: string | undefined;
  suppressed?: NormalizedFinding['suppressed'];
  links?: readonly unknown[];
  date?: string | undefined;
  tags?: readonly string[];
}

export function sastFinding(facts: SastFacts): NormalizedFinding {
  const { steps } = facts;
  const first = facts.place ?? steps[0];
  const last = steps.at(-1);
  const places = [first, isElsewhere(first, last) ? last : undefined].filter((place) => place !== undefined);
  return defined({
    kind: 'finding' as const,
    ruleId: facts.ruleId,
    title: oneLine(facts.title),
    type: 'SAST' as const,
    severity: severityOf(facts.severity),
    nativeSeverity: facts.severity,
    description: paragraphs(facts.description),
    mitigation: facts.mitigation,
    cwe: cweNumbers(facts.cwe),
    references: webAddresses(...(facts.links ?? [])),
    locations: places.length === 0 ? undefined : places,
    codeFlows: steps.length < 2 ? undefined : [[...steps]],
    fingerprint: facts.similarityId,
    policy: facts.group === undefined ? undefined : { category: facts.group.replaceAll('_', ' ') },
    suppressed: facts.suppressed,
    date: facts.date,
    tags: facts.tags === undefined || facts.tags.length === 0 ? undefined : [...facts.tags],
    language: facts.language?.toLowerCase(),
  });
}

function isElsewhere(first: Location | undefined, last: Location | undefined): boolean {
  return last !== undefined && (first?.path !== last.path || first.startLine !== last.startLine);
}

/** Steps of a path in JSON: `fileName`, `line`, `column`; the code only in the newest reports. */
export function stepsOf(nodes: unknown): Location[] {
  return list(nodes)
    .slice(0, LIMITS.flowSteps)
    .flatMap((node) => {
      const { fileName, line, column, name, code } = fields(node);
      const step = stepOf({ fileName, line, column, name, code });
      return step === undefined ? [] : [step];
    });
}

interface Node {
  fileName: unknown;
  line: unknown;
  column: unknown;
  name: unknown;
  code: unknown;
}

export function stepOf({ fileName, line, column, name, code }: Node): Location | undefined {
  const path = normalisePath(fileName);
  if (path === undefined) return undefined;
  const snippet = typeof code === 'string' && code.trim() !== '' ? clean(code, LIMITS.snippetChars) : undefined;
  const message = label(name);
  return defined({ path, startLine: position(line), startColumn: position(column), snippet, message });
}
