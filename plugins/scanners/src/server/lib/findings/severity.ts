import type { Severity } from '@breakwater/sdk';
import { number, text } from '../values/read.ts';
import { baseScore } from './cvss-score.ts';

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

export interface Cvss {
  version: number;
  score?: number;
  vector?: string;
}

interface CvssChoice {
  cvssScore?: number;
  cvssVector?: string;
}

/** One rating of a report, with the score of its vector where it states none; undefined when it is no CVSS rating. `version` may be "3.1", "CVSSv31", 3 or missing. */
export function cvss(version: unknown, score: unknown, vector: unknown): Cvss | undefined {
  const path = text(vector, 300);
  const points = number(score);
  const found = versionOf(text(version, 20), path);
  if (found === undefined || (points === undefined && path === undefined)) return undefined;
  const vectorText = path === undefined ? undefined : withPrefix(path, found);
  const isRated = points !== undefined && points >= 0 && points <= 10;
  const rated = isRated ? points : vectorText === undefined ? undefined : baseScore(vectorText);
  return {
    version: found,
    ...(rated === undefined ? {} : { score: rated }),
    ...(vectorText === undefined ? {} : { vector: vectorText }),
  };
}

function versionOf(version: string | undefined, vector: string | undefined): number | undefined {
  const prefix = /^CVSS:(\d\.\d)\//i.exec(vector ?? '');
  if (prefix !== null) return Number(prefix[1]);
  const digits = /(\d)\.?(\d)?\s*$/.exec(version ?? '');
  if (digits !== null) return Number(`${digits[1]}.${digits[2] ?? '0'}`);
  if (vector === undefined) return undefined;
  return /(?:^|\/)Au:/.test(vector) ? 2 : /(?:^|\/)PR:/.test(vector) ? 3 : undefined;
}

function withPrefix(vector: string, version: number): string {
  return version < 3 || /^CVSS:/i.test(vector) ? vector : `CVSS:${version.toFixed(1)}/${vector}`;
}

/** Version 3 before 4 before 2, as advisories are compared by it today; within a version, the first that says most. */
export function chooseCvss(ratings: readonly (Cvss | undefined)[]): CvssChoice {
  let best: Cvss | undefined;
  for (const rating of ratings) {
    if (rating !== undefined && (best === undefined || rank(rating) > rank(best))) best = rating;
  }
  if (best === undefined) return {};
  return {
    ...(best.score === undefined ? {} : { cvssScore: best.score }),
    ...(best.vector === undefined ? {} : { cvssVector: best.vector }),
  };
}

function rank(rating: Cvss): number {
  const generation = Math.floor(rating.version);
  const order = generation === 3 ? 30 : generation === 4 ? 20 : 10;
  return order + (rating.score === undefined ? 0 : 4) + (rating.vector === undefined ? 0 : 1);
}
