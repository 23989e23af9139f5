import { msg } from '../../platform/model/message.ts';
import type { CodePlace } from './code-place.ts';
import type { PackageUse } from './package-use.ts';

/** What decides between findings that are worth the same. What is absent is not known. */
export interface TieFacts {
  /** Of a package: whether a version without the flaw exists. */
  fix?: 'available' | 'none' | undefined;
  /** Effort of the repair, 0-100. */
  effort?: number | undefined;
  packageUse?: PackageUse | undefined;
  /** Of own code: what the file is for. */
  place?: CodePlace | undefined;
  /** Steps of the shortest reported way from input to the flaw. */
  flowSteps?: number | undefined;
  exposure: 'internet' | 'internal' | 'unknown';
  /** CVE id under which it is known, the oldest where there are several. */
  cve?: string | undefined;
  /** Its weakness is among those that are exploited most. */
  isTopWeakness?: boolean | undefined;
}

/** CWE Top 25 Most Dangerous Software Weaknesses. Source: MITRE, edition of 2024. */
const TOP_WEAKNESSES: readonly number[] = [
  ...[79, 787, 89, 352, 22, 125, 78, 416, 862, 434, 94, 20, 77],
  ...[287, 269, 502, 200, 863, 918, 119, 476, 798, 190, 400, 306],
];

/** Whether one of these weaknesses (CWE) is among the Top 25. */
export const isTopWeakness = (cwe: readonly number[]): boolean => cwe.some((id) => TOP_WEAKNESSES.includes(id));

/** Thousandths of a point that each can give: together less than one point, so that it only decides between equals. */
const MOST = { fix: 120, ease: 80, reach: 250, exposure: 149, age: 400 } as const;
const POINT = 1000;

/** A factor with its thousandths and, where anything is known, what is said of it. */
interface Factor {
  thousandths: number;
  reason?: string | undefined;
}

const NOTHING: Factor = { thousandths: 0 };

const fixFactor = ({ fix }: TieFacts): Factor => {
  if (fix === undefined) return NOTHING;
  return fix === 'available'
    ? { thousandths: MOST.fix, reason: msg('Fix available') }
    : { thousandths: 0, reason: msg('No fix reported') };
};

/** What takes less work comes first. */
const easeFactor = ({ effort }: TieFacts): Factor => {
  if (effort === undefined) return NOTHING;
  const reason = effort <= 20 ? msg('Little work') : effort <= 50 ? msg('Some work') : msg('Much work');
  return { thousandths: (MOST.ease * (100 - effort)) / 100, reason };
};

const USE: Readonly<Record<PackageUse, Factor>> = {
  imported: { thousandths: MOST.reach, reason: msg('Imported by the application') },
  unknown: { thousandths: MOST.reach / 2 },
  transitive: { thousandths: 80, reason: msg('Comes with another package') },
  not_imported: { thousandths: 0, reason: msg('Not imported by the application') },
};
const PLACE: Readonly<Record<CodePlace, Factor>> = {
  requests: { thousandths: 150, reason: msg('In code that handles requests') },
  code: { thousandths: 90, reason: msg('In application code') },
  test: { thousandths: 0, reason: msg('In test code') },
};
const FLOW_MOST = 100;
const FLOW_LEAST = 40;
const FLOW_STEP = 12;

/** A short way from input to the flaw is surer than a long one; 2 steps are source and sink. */
const flowFactor = (steps: number | undefined): Factor => {
  if (steps === undefined || steps < 1) return NOTHING;
  const thousandths = Math.max(FLOW_LEAST, FLOW_MOST - FLOW_STEP * Math.max(0, steps - 2));
  return { thousandths, reason: `Data flow of ${steps} steps` };
};

const reachFactors = ({ packageUse, place, flowSteps }: TieFacts): Factor[] => {
  if (packageUse !== undefined) return [USE[packageUse]];
  return place === undefined ? [] : [PLACE[place], flowFactor(flowSteps)];
};

const EXPOSURE = {
  internet: { thousandths: MOST.exposure, reason: msg('Open to the internet') },
  internal: { thousandths: 50, reason: msg('Internal') },
  unknown: NOTHING,
} as const satisfies Readonly<Record<TieFacts['exposure'], Factor>>;

/** From the fixed years and not from today: a stored score does not age, and the order by age stays the same. */
const OLDEST_YEAR = 2005;
const YOUNGEST_YEAR = 2037;
/** CVE numbers of a year are given out in order, up to about so many. */
const NUMBERS_OF_A_YEAR = 60_000;

/** When a CVE id was given out, as year with its fraction; undefined where it is none. */
export const yearOfCve = (cve: string | undefined): number | undefined => {
  const [, year, number] = /^CVE-(\d{4})-(\d+)$/i.exec(cve ?? '') ?? [];
  return year === undefined ? undefined : Number(year) + Math.min(0.99, Number(number) / NUMBERS_OF_A_YEAR);
};

const TOP_WEAKNESS: Factor = { thousandths: 100, reason: msg('Weakness of the CWE Top 25') };

/** What nobody published has no age: then its kind of weakness counts. */
const ageFactor = ({ cve, isTopWeakness: isTop }: TieFacts): Factor => {
  const year = yearOfCve(cve);
  if (year === undefined) return isTop === true ? TOP_WEAKNESS : NOTHING;
  const share = (YOUNGEST_YEAR - year) / (YOUNGEST_YEAR - OLDEST_YEAR);
  return { thousandths: MOST.age * Math.min(1, Math.max(0, share)), reason: `Known since ${Math.floor(year)}` };
};

/** Between the pieces of a reason: each is a text of its own. */
export const PIECES = '; ';

/** The oldest CVE id among the names of a vulnerability. */
export const oldestCve = (cve: string | undefined, aliases: readonly string[]): string | undefined => {
  const known = [...(cve === undefined ? [] : [cve]), ...aliases].filter((name) => yearOfCve(name) !== undefined);
  return known.sort((a, b) => (yearOfCve(a) ?? 0) - (yearOfCve(b) ?? 0))[0];
};

/**
 * Decides between findings with the same points: fix available and cheap, reached by the application, exposure, age of the vulnerability
 * or kind of weakness.
 * `points`: 0 to 0.999 in thousandths. Pure.
 */
export const breakTie = (facts: TieFacts): { points: number; reason: string } => {
  const factors = [
    fixFactor(facts),
    easeFactor(facts),
    ...reachFactors(facts),
    EXPOSURE[facts.exposure],
    ageFactor(facts),
  ];
  const sum = factors.reduce((total, { thousandths }) => total + thousandths, 0);
  const reasons = factors.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  return {
    points: Math.min(POINT - 1, Math.round(sum)) / POINT,
    reason: reasons.length === 0 ? msg('Nothing tells it from others') : reasons.join(PIECES),
  };
};
