import type { FindingType, NormalizedFinding } from '@breakwater/sdk';
import { normalisePath } from '../../lib/paths.ts';
import { defined, position } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';
import { severityOf } from './state.ts';

/** What every format says of a check that failed: of configuration (KICS), of the supply chain, of secrets. */
export interface CheckFacts {
  ruleId: string | undefined;
  title: string | undefined;
  severity: string | undefined;
  type: FindingType;
  description?: string | undefined;
  expected?: string | undefined;
  actual?: string | undefined;
  mitigation?: string | undefined;
  category?: string | undefined;
  file?: unknown;
  line?: unknown;
  similarityId?: string | undefined;
  links?: readonly unknown[];
  suppressed?: NormalizedFinding['suppressed'];
  date?: string | undefined;
  tags?: readonly (string | undefined)[];
}

export function checkFinding(facts: CheckFacts): NormalizedFinding {
  const path = normalisePath(facts.file);
  const ruleId = facts.ruleId ?? facts.title ?? 'unnamed check';
  const tags = (facts.tags ?? []).filter((tag) => tag !== undefined);
  const found = facts.actual === undefined ? undefined : `Found: ${facts.actual}`;
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(facts.title ?? facts.description ?? ruleId),
    type: facts.type,
    severity: severityOf(facts.severity),
    nativeSeverity: facts.severity,
    description: paragraphs(facts.description, found),
    mitigation: facts.mitigation ?? (facts.expected === undefined ? undefined : `Expected: ${facts.expected}`),
    references: webAddresses(...(facts.links ?? [])),
    locations: path === undefined ? undefined : [defined({ path, startLine: position(facts.line) })],
    fingerprint: facts.similarityId,
    policy: facts.category === undefined ? undefined : { category: facts.category },
    suppressed: facts.suppressed,
    date: facts.date,
    tags: tags.length === 0 ? undefined : tags,
  });
}
