import {
  CVSS_V2,
  CVSS_V3,
  type CvssMetrics,
  type CvssScale,
  cvssLost,
  cvssMetrics,
  cvssProduct,
  cvssV2Ease,
  cvssV3Ease,
  cvssV3Impact,
} from '@breakwater/sdk';

/** How easily it is exploited and how much it does, 0-1 each. */
export interface CvssShares {
  exploitability: number;
  impact: number;
  /** True where the standard itself defines the two figures (v2, v3); v4 has none, there they are ours. */
  isStandard: boolean;
}

/** v4 metrics on the weights of v3; a passive victim costs less than an active one. */
const V4_AT: CvssScale = { N: 1, P: 0.75 };
const V4_UI: CvssScale = { N: 0.85, P: 0.7, A: 0.62 };

const V3_MOST_EXPLOITABLE = 0.85 * 0.77 * 0.85 * 0.85;
const V2_MOST_EXPLOITABLE = 0.71 * 0.704;
/** Impact of S:C/C:H/I:H/A:H. */
const V3_MOST_IMPACT = 6.048;
const V2_MOST_IMPACT = 1 - 0.34 ** 3;

const v3Impact = (lost: number, isChanged: boolean): number => cvssV3Impact(lost, isChanged) / V3_MOST_IMPACT;

const v3Shares = (metrics: CvssMetrics): Omit<CvssShares, 'isStandard'> => {
  const isChanged = metrics.get('S') === 'C';
  const lost = cvssLost(CVSS_V3.CIA, metrics);
  return {
    exploitability: cvssV3Ease(metrics, isChanged) / V3_MOST_EXPLOITABLE,
    impact: lost === 0 ? 0 : v3Impact(lost, isChanged),
  };
};

const v2Shares = (metrics: CvssMetrics): Omit<CvssShares, 'isStandard'> => ({
  exploitability: cvssV2Ease(metrics) / V2_MOST_EXPLOITABLE,
  impact: cvssLost(CVSS_V2.CIA, metrics) / V2_MOST_IMPACT,
});

const v4Shares = (metrics: CvssMetrics): Omit<CvssShares, 'isStandard'> => {
  const ease = cvssProduct(metrics, [
    ['AV', CVSS_V3.AV],
    ['AC', CVSS_V3.AC],
    ['AT', V4_AT],
    ['PR', CVSS_V3.PR],
    ['UI', V4_UI],
  ]);
  const own = cvssLost(CVSS_V3.CIA, metrics, ['VC', 'VI', 'VA']);
  const others = cvssLost(CVSS_V3.CIA, metrics, ['SC', 'SI', 'SA']);
  const impact = others > 0 ? v3Impact(Math.max(own, others), true) : v3Impact(own, false);
  return { exploitability: ease / V3_MOST_EXPLOITABLE, impact: own === 0 && others === 0 ? 0 : impact };
};

const sharesOf = (vector: string): CvssShares => {
  const metrics = new Map(cvssMetrics(vector));
  if (vector.startsWith('CVSS:4')) return { ...v4Shares(metrics), isStandard: false };
  return metrics.has('Au') ? { ...v2Shares(metrics), isStandard: true } : { ...v3Shares(metrics), isStandard: true };
};

const bounded = (share: number): number => Math.min(1, Math.max(0, share));

/**
 * The exploitability and impact figures of a CVSS v2, v3 or v4 vector as shares of what they can be at most. Nothing where
 * a base metric is missing or unknown. Source: FIRST.org CVSS v2 and v3.1 specifications; v4 mapped onto v3's weights.
 */
export const cvssShares = (vector: string | null | undefined): CvssShares | undefined => {
  if (vector === null || vector === undefined) return undefined;
  const { exploitability, impact, isStandard } = sharesOf(vector);
  if (Number.isNaN(exploitability) || Number.isNaN(impact)) return undefined;
  return { exploitability: bounded(exploitability), impact: bounded(impact), isStandard };
};
