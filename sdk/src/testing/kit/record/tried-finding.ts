import type { Json } from '../../../context.ts';
import { isNormalizedFinding } from '../../../findings/finding-schema.ts';

/** A finding as the mapping gives it. */
export interface TriedFinding {
  readonly ruleId: string;
  readonly title: string;
  readonly severity: string;
  readonly type: string;
  /** File and line, component or resource; empty where the finding has none. */
  readonly place: string;
}

/** What the replay of a recording gave, for people to look at: in it nothing stands that was not scrubbed. */
export interface Found {
  /** Names of what findings belong to. */
  readonly applications: readonly string[];
  readonly findings: readonly TriedFinding[];
  /** Records that became no finding, and why. */
  readonly unreadable: readonly string[];
}

const textAt = (record: unknown, name: string): string => String(Reflect.get(Object(record), name));
const isKind = (kind: string) => (record: unknown) => textAt(record, 'kind') === kind;

export function foundIn(records: Json | undefined): Found {
  const all: readonly unknown[] = Array.isArray(records) ? records : [];
  const findings = all.filter(isNormalizedFinding).map(({ ruleId, title, severity, type, ...finding }) => {
    const [location] = finding.locations ?? [];
    const line = location?.startLine === undefined ? '' : `:${location.startLine}`;
    const place = location === undefined ? (finding.component?.name ?? finding.resource ?? '') : location.path + line;
    return { ruleId, title, severity, type, place };
  });
  return {
    findings,
    applications: all.filter(isKind('target')).map((target) => textAt(target, 'name')),
    unreadable: all.filter(isKind('unreadable')).map((one) => `${textAt(one, 'where')}: ${textAt(one, 'why')}`),
  };
}
