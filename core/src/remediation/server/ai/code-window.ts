import type { RedactedCode } from '../../model/redact-code.ts';
import { estimateTokens } from './ai-model.ts';

/** The part of a file that a model is shown. */
export interface CodeWindow {
  /** Lines, from 1. */
  from: number;
  to: number;
  /** Of the whole file. */
  total: number;
  /** With line feeds alone, whatever the file has. */
  text: string;
}

/** About 24 kB of code: a long file of people, a part of a generated one. */
const MAX_TOKENS = 8000;

/**
 * As much of a file around the lines of a finding as the model may read: all of it where that fits, else lines above and below in turn.
 * Its secrets are taken out already. Pure.
 */
export const windowOf = (
  { text: content }: Pick<RedactedCode, 'text'>,
  { startLine, endLine }: { startLine: number | null; endLine: number | null },
  maxTokens = MAX_TOKENS,
): CodeWindow => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const total = lines.length;
  const costs = lines.map((line) => estimateTokens(`${line}\n`));
  const first = Math.min(Math.max(startLine ?? 1, 1), total);
  let from = first;
  let to = first;
  let used = costs[first - 1] ?? 0;
  const take = (line: number): boolean => {
    const cost = costs[line - 1];
    if (cost === undefined || used + cost > maxTokens) return false;
    used += cost;
    return true;
  };
  // the lines of the finding come first, what surrounds them afterwards
  while (to < Math.min(endLine ?? first, total) && take(to + 1)) to += 1;
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    if (from > 1 && take(from - 1)) [from, isGrowing] = [from - 1, true];
    if (to < total && take(to + 1)) [to, isGrowing] = [to + 1, true];
  }
  return { from, to, total, text: lines.slice(from - 1, to).join('\n') };
};
