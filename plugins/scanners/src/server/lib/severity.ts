import type { Severity } from '@breakwater/sdk';

/** Words that scanners use, in lower case. Words that say "not rated" are absent on purpose. */
const WORDS: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['blocker', 'critical'],
  ['severe', 'critical'],
  ['high', 'high'],
  ['error', 'high'],
  ['important', 'high'],
  ['major', 'high'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['warning', 'medium'],
  ['warn', 'medium'],
  ['low', 'low'],
  ['minor', 'low'],
  ['note', 'low'],
  ['info', 'informational'],
  ['informational', 'informational'],
  ['information', 'informational'],
  ['negligible', 'informational'],
  ['none', 'informational'],
]);

/** The severity a tool's word stands for; undefined where it says that nobody has rated it. */
export function severityFromWord(word: string | undefined): Severity | undefined {
  return word === undefined ? undefined : WORDS.get(word.toLowerCase());
}

/** CVSS bands. Source: decisions.md "States". */
export function severityFromScore(score: number | undefined): Severity | undefined {
  if (score === undefined || score < 0 || score > 10) return undefined;
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score >= 0.1 ? 'low' : 'informational';
}

/**
 * Severity of a known vulnerability: the tool's word wins over the score. Nobody rated it: informational, as
 * scanners and their consoles do; the tool's own word ("Unknown") stays visible beside it.
 */
export function vulnerabilitySeverity(word: string | undefined, score: number | undefined): Severity {
  const scored = score === undefined || score === 0 ? undefined : severityFromScore(score);
  return severityFromWord(word) ?? scored ?? 'informational';
}

const BANDS: Readonly<Record<Severity, readonly [lowest: number, highest: number]>> = {
  critical: [90, 100],
  high: [70, 89],
  medium: [40, 69],
  low: [1, 39],
  informational: [0, 0],
};

/** The score on the 0-100 scale, kept inside the band of the severity: the tool's own word wins over the score. */
export function severityNumber(severity: Severity, score: number | undefined): number | undefined {
  if (score === undefined) return undefined;
  const [lowest, highest] = BANDS[severity];
  return Math.min(highest, Math.max(lowest, Math.round(score * 10)));
}
