import type { FindingType, Severity } from '@breakwater/sdk';
import { msg } from '../../platform/model/message.ts';
import { codePlaceOf } from './code-place.ts';
import type { PackageUse } from './package-use.ts';
import type { EpssEntry, KevEntry } from './reference.ts';
import { DEFAULT_RULES, type PriorityRules } from './settings/priority-rules.ts';
import { type PriorityPart, sumOfPoints, WEIGHTED_PARTS } from './settings/priority-settings.ts';
import { concernsOf, STANDARDS } from './settings/standards.ts';
import { breakTie, isTopWeakness, oldestCve, type TieFacts } from './tie-break.ts';

export type { PackageUse } from './package-use.ts';

/** All that a priority rests on. What is absent is not known. */
export interface PriorityFacts {
  severity: Severity;
  /** CVSS base score 0-10. */
  cvssScore?: number | undefined;
  cvssVector?: string | undefined;
  kev?: Pick<KevEntry, 'dateAdded'> | undefined;
  epss?: EpssEntry | undefined;
  /** Likelihood of exploit of the weakness, by MITRE. */
  likelihood?: 'High' | 'Medium' | 'Low' | undefined;
  /** A credential in the open needs no exploit; standards speak of kinds of findings. */
  type: FindingType;
  exposure: 'internet' | 'internal' | 'unknown';
  dataClass: 'sensitive' | 'business' | 'public' | 'unknown';
  /** OWASP Top 10 category, for the compliance part. */
  owasp?: string | undefined;
  /** How the application's code uses the vulnerable package. */
  packageUse?: { use: PackageUse; component: string } | undefined;
  /** What decides between findings with the same points, as `tieFactsOf` reads it. */
  tie: TieOwnFacts;
}

/** The rest of what decides between equals stands among the facts already. */
export type TieOwnFacts = Pick<TieFacts, 'fix' | 'effort' | 'place' | 'flowSteps' | 'cve' | 'isTopWeakness'> & {
  isPackage: boolean;
};

/** What a report or a stored row says that decides between equals. */
export interface TieSource {
  component: string | null | undefined;
  fixedVersion: string | null | undefined;
  /** Effort of the repair, 0-100. */
  effort: number | null | undefined;
  path: string | null | undefined;
  flowSteps: number | null | undefined;
  cve: string | null | undefined;
  aliases: readonly string[];
  cwe: readonly number[];
}

const isSaid = (text: string | null | undefined): boolean => text !== undefined && text !== null && text !== '';

/** The same of a report and of what is stored of it. Pure. */
export const tieFactsOf = (of: TieSource): TieOwnFacts => {
  const isPackage = isSaid(of.component);
  return {
    isPackage,
    fix: isPackage ? (isSaid(of.fixedVersion) ? 'available' : 'none') : undefined,
    effort: of.effort ?? undefined,
    place: isPackage || of.path === undefined || of.path === null ? undefined : codePlaceOf(of.path),
    flowSteps: of.flowSteps ?? undefined,
    cve: oldestCve(of.cve ?? undefined, of.aliases),
    isTopWeakness: isTopWeakness(of.cwe),
  };
};

export interface Priority {
  /** 0-100 with thousandths, higher first. */
  priority: number;
  /** Add up to `priority`. */
  parts: PriorityPart[];
}

/** Of what is stored; undefined where nothing is known of the package. */
export const packageUseOf = (use: PackageUse | null, component: string | null): PriorityFacts['packageUse'] =>
  use === null || component === null ? undefined : { use, component };

interface Share {
  /** 0-1. */
  share: number;
  reason: string;
}

const SEVERITY_SHARE = { critical: 0.95, high: 0.8, medium: 0.55, low: 0.25, informational: 0 } as const;
const VECTOR_SHARE = { N: 0.7, A: 0.5, L: 0.3, P: 0.1 } as const;
const VECTOR_WORD = {
  N: 'the network',
  A: 'an adjacent network',
  L: 'the machine itself',
  P: 'physical access',
} as const;
const LIKELIHOOD_SHARE = { High: 1, Medium: 0.6, Low: 0.3 } as const;
/** Of what is hard to reach a smaller share counts; by computed names or through other packages it may be reached all the same. */
const USE_FACTOR = { imported: 1, unknown: 1, transitive: 0.75, not_imported: 0.5 } as const;
const EXPOSURE_SHARE = { internet: 1, internal: 1 / 3, unknown: 0 } as const;
const DATA_SHARE = { sensitive: 1, business: 0.5, public: 0, unknown: 0 } as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const KEV_FLOOR = 90;
const EPSS_FLOOR = 80;
const EPSS_FLOOR_FROM = 0.5;

const day = (iso: string): string => {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso) ?? [];
  return year === undefined ? iso : `${Number(date)} ${MONTHS[Number(month) - 1] ?? month} ${year}`;
};

const OWASP = 'industryStandardFrameworks.cwe';
const nothingCovers = (standards: PriorityRules['standards']): string => {
  if (standards.length === 0) return msg('No standard counts');
  const isOnlyOwasp = standards.every(({ key }) => key === OWASP);
  return isOnlyOwasp ? msg('Not in the OWASP Top 10') : msg('No chosen standard speaks of it');
};

const percent = (share: number): string => `${Number((share * 100).toPrecision(2))}%`;

const severityShare = (facts: PriorityFacts): Share =>
  facts.cvssScore === undefined
    ? { share: SEVERITY_SHARE[facts.severity], reason: `Severity ${facts.severity}` }
    : { share: Math.min(Math.max(facts.cvssScore, 0), 10) / 10, reason: `CVSS ${facts.cvssScore.toFixed(1)}` };

const kevShare = ({ kev }: PriorityFacts): Share =>
  kev === undefined
    ? { share: 0, reason: msg('Not in the catalogue of known exploited vulnerabilities') }
    : { share: 1, reason: `Known to be exploited, CISA ${day(kev.dateAdded)}` };

/** The square root spreads the low probabilities, where nearly all vulnerabilities are. */
const epssShare = ({ epss }: PriorityFacts): Share => {
  if (epss === undefined) return { share: 0, reason: msg('No exploit prediction') };
  const above =
    epss.percentile === undefined ? '' : `, above ${percent(Math.floor(epss.percentile * 100) / 100)} of all`;
  const date = epss.date === undefined ? '' : `, ${day(epss.date)}`;
  const share = Math.sqrt(Math.min(Math.max(epss.probability, 0), 1));
  return { share, reason: `EPSS ${percent(epss.probability)}${above}${date}` };
};

type VectorLetter = keyof typeof VECTOR_SHARE;
const isVectorLetter = (letter: string | undefined): letter is VectorLetter =>
  letter !== undefined && letter in VECTOR_SHARE;

const vectorShare = (vector: string): Share | undefined => {
  const metrics = new Map(
    vector
      .split('/')
      .map((metric): [string, string] => [metric.slice(0, metric.indexOf(':')), metric.slice(metric.indexOf(':') + 1)]),
  );
  const letter = metrics.get('AV');
  if (!isVectorLetter(letter)) return undefined;
  const isOpen = letter === 'N' && metrics.get('PR') === 'N' && metrics.get('UI') === 'N';
  const share = isOpen ? 1 : VECTOR_SHARE[letter];
  return { share, reason: `Reached from ${VECTOR_WORD[letter]}${isOpen ? ', without sign-in or a victim' : ''}` };
};

const easeShare = (facts: PriorityFacts): Share => {
  const byVector = facts.cvssVector === undefined ? undefined : vectorShare(facts.cvssVector);
  if (byVector !== undefined) return byVector;
  if (facts.type === 'Secrets') return { share: 1, reason: msg('A secret serves whoever reads it') };
  if (facts.likelihood === undefined)
    return { share: 0, reason: msg('No attack vector reported; its CWE names no likelihood') };
  return {
    share: LIKELIHOOD_SHARE[facts.likelihood],
    reason: `Likelihood of exploit ${facts.likelihood.toLowerCase()} (CWE)`,
  };
};

const exploitabilityShare = (facts: PriorityFacts): Share => {
  const { share, reason } = easeShare(facts);
  if (facts.packageUse === undefined) return { share, reason };
  const { use, component } = facts.packageUse;
  const said = {
    ...{ imported: '', unknown: '' },
    transitive: `; ${component} comes only with another package`,
    not_imported: `; no source file imports ${component}`,
  }[use];
  return { share: share * USE_FACTOR[use], reason: `${reason}${said}` };
};

/** Of what counts at all, so much applies. */
const proportion = (applies: number, all: number): number => (all === 0 ? 0 : applies / all);

const dataShare = ({ exposure, dataClass }: PriorityFacts, { data }: PriorityRules): Share => {
  const known = [
    exposure === 'unknown' ? '' : exposure === 'internet' ? 'open to the internet' : 'internal',
    dataClass === 'unknown' ? '' : `${dataClass} data`,
  ].filter((word) => word !== '');
  const reason =
    known.length === 0 ? msg('Exposure and data of the repository not set') : `Repository: ${known.join(', ')}`;
  const applies = data.exposure * EXPOSURE_SHARE[exposure] + data.dataClass * DATA_SHARE[dataClass];
  return { share: proportion(applies, data.exposure + data.dataClass), reason };
};

const complianceShare = (facts: PriorityFacts, { standards }: PriorityRules): Share => {
  const concerns = concernsOf(facts);
  const covering = standards.filter(({ key }) => STANDARDS[key].covers.some((concern) => concerns.includes(concern)));
  const sum = (of: PriorityRules['standards']): number => of.reduce((total, { weight }) => total + weight, 0);
  const names = covering.map(({ key }) => (key === OWASP ? `OWASP Top 10 ${facts.owasp}` : STANDARDS[key].label));
  return {
    share: proportion(sum(covering), sum(standards)),
    reason: names.length > 0 ? names.join(', ') : nothingCovers(standards),
  };
};

const SHARES = {
  severity: severityShare,
  known_exploited: kevShare,
  epss: epssShare,
  exploitability: exploitabilityShare,
  data: dataShare,
  compliance: complianceShare,
} as const;

const floorOf = (facts: PriorityFacts): { floor: number; reason: string } | undefined => {
  if (facts.kev !== undefined) return { floor: KEV_FLOOR, reason: `Known exploited: at least ${KEV_FLOOR}` };
  const isSevere = facts.severity === 'critical' || facts.severity === 'high';
  if (isSevere && facts.epss !== undefined && facts.epss.probability >= EPSS_FLOOR_FROM) {
    return { floor: EPSS_FLOOR, reason: `Exploit likely and severity ${facts.severity}: at least ${EPSS_FLOOR}` };
  }
  return undefined;
};

/** Up to here points are given; from here on nothing is left for the tie-break. */
const HIGHEST = 100;

const tiePart = ({ tie: { isPackage, ...tie }, packageUse, exposure }: PriorityFacts, sum: number): PriorityPart => {
  const use = isPackage ? (packageUse?.use ?? 'unknown') : undefined;
  const { points, reason } = breakTie({ ...tie, packageUse: use, exposure });
  return { key: 'tie_break', points: sum >= HIGHEST ? 0 : points, of: 1, reason };
};

/**
 * Priority 0-100 with its parts: whole points, a possible `floor`, and less than one point as the last part that decides between equals.
 * Floors hold under all rules: known exploited ≥ 90; EPSS ≥ 0.5 and severity high or critical ≥ 80. Source: decisions.md "Scores".
 */
export const scorePriority = (facts: PriorityFacts, rules: PriorityRules = DEFAULT_RULES): Priority => {
  const weighted: PriorityPart[] = WEIGHTED_PARTS.map((key) => {
    const { share, reason } = SHARES[key](facts, rules);
    const of = rules.weights[key];
    return { key, points: Math.round(share * of), of, reason };
  });
  const sum = weighted.reduce((total, part) => total + part.points, 0);
  const floor = floorOf(facts);
  const missing = floor === undefined ? 0 : Math.max(0, floor.floor - sum);
  const raised: PriorityPart[] =
    floor === undefined || missing === 0 ? [] : [{ key: 'floor', points: missing, of: missing, reason: floor.reason }];
  const tie = tiePart(facts, sum + missing);
  return { priority: sumOfPoints([sum, missing, tie.points]), parts: [...weighted, ...raised, tie] };
};
