import { CERTAINTY, type Correlation } from './correlate.ts';
import { classesBy, correlatePlaces } from './correlate-places.ts';

/** A result in code as far as it tells whether another one is the same issue. */
export interface CodeResult {
  id: string;
  tool: string;
  ruleId: string;
  fileId: number;
  line: number;
  endLine: number | null;
  column: number | null;
  endColumn: number | null;
  /** Path and line where the data ends that the result follows; null where the tool does not say. */
  sink: string | null;
  sinkColumn: string | null;
  /** Digest of the description: tells results of one rule apart. */
  message: string | null;
  cwe: readonly number[];
}

type Compare = (a: CodeResult, b: CodeResult) => Correlation['certainty'] | null;

/** A result over several lines reaches to the end of its first one. */
const endOf = ({ line, endLine, column, endColumn }: CodeResult): number =>
  endLine !== null && endLine > line ? Number.POSITIVE_INFINITY : Math.max(endColumn ?? 0, (column ?? 0) + 1);

const compareColumns: Compare = (a, b) => {
  if (a.column === b.column) return CERTAINTY.certain;
  if (a.column === null || b.column === null) return CERTAINTY.likely;
  return a.column < endOf(b) && b.column < endOf(a) ? CERTAINTY.likely : null;
};

const compareSinks: Compare = (a, b) => {
  if (a.sink === b.sink) return CERTAINTY.certain;
  return a.sink === null || b.sink === null ? CERTAINTY.likely : null;
};

/** What one rule of one tool reports several times on a line are several results. */
const compare: Compare = (a, b) => {
  if (a.tool === b.tool && a.ruleId === b.ruleId) return null;
  const [columns, sinks] = [compareColumns(a, b), compareSinks(a, b)];
  if (columns === null || sinks === null) return null;
  return columns === CERTAINTY.certain && sinks === CERTAINTY.certain ? CERTAINTY.certain : CERTAINTY.likely;
};

const isRelated = (a: CodeResult, b: CodeResult): boolean => a.cwe.some((cwe) => b.cwe.includes(cwe));

const distinctBy = (of: CodeResult): string =>
  JSON.stringify([of.tool, of.ruleId, of.column, of.endColumn, of.sink, of.sinkColumn, of.message, of.cwe]);

/**
 * Which results in code say the same: the exact line, a shared weakness, and columns and sinks that do not contradict each other. A
 * neighbouring line is another place.
 */
export const codeCorrelations = (results: readonly CodeResult[]): Correlation[] =>
  [
    ...Map.groupBy(
      results.filter((of) => of.cwe.length > 0),
      (of) => `${of.fileId}:${of.line}`,
    ).values(),
  ].flatMap((mates) => correlatePlaces(classesBy(mates, distinctBy), { isRelated, compare }));
