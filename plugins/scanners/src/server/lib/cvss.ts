import { number, text } from './read.ts';

export interface Cvss {
  version: number;
  score?: number;
  vector?: string;
}

export interface CvssChoice {
  cvssScore?: number;
  cvssVector?: string;
}

/** One rating of a report; undefined when it is no CVSS rating. `version` may be "3.1", "CVSSv31", 3 or missing. */
export function cvss(version: unknown, score: unknown, vector: unknown): Cvss | undefined {
  const path = text(vector, 300);
  const points = number(score);
  const found = versionOf(text(version, 20), path);
  if (found === undefined || (points === undefined && path === undefined)) return undefined;
  const isRated = points !== undefined && points >= 0 && points <= 10;
  return {
    version: found,
    ...(isRated ? { score: points } : {}),
    ...(path === undefined ? {} : { vector: withPrefix(path, found) }),
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
