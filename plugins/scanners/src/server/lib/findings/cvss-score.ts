import {
  CVSS_V2,
  CVSS_V3,
  type CvssMetrics,
  cvssLost,
  cvssMetrics,
  cvssV2Ease,
  cvssV3Ease,
  cvssV3Impact,
} from '@breakwater/sdk';

/**
 * The base score of a vector of CVSS v2 or v3 with all its base metrics, such as `CVSS:3.1/AV:N/…` or `AV:N/AC:L/Au:N/…`; undefined for
 * any other, and where a metric is named twice. Version 4 has no formula but a table of experts' judgements, which is not kept here.
 */
export function baseScore(vector: string): number | undefined {
  const entries = cvssMetrics(vector);
  const metrics = new Map(entries);
  const score = metrics.size === entries.length ? scoreOf(vector, metrics) : undefined;
  return score === undefined || Number.isNaN(score) ? undefined : score;
}

function scoreOf(vector: string, metrics: CvssMetrics): number | undefined {
  if (metrics.has('Au')) return v2Score(metrics);
  return /^CVSS:3\.[01]\//i.test(vector) ? v3Score(metrics) : undefined;
}

function v3Score(metrics: CvssMetrics): number {
  const scope = metrics.get('S');
  if (scope !== 'U' && scope !== 'C') return Number.NaN;
  const isChanged = scope === 'C';
  const impact = cvssV3Impact(cvssLost(CVSS_V3.CIA, metrics), isChanged);
  const ease = 8.22 * cvssV3Ease(metrics, isChanged);
  if (Number.isNaN(impact) || Number.isNaN(ease)) return Number.NaN;
  return impact <= 0 ? 0 : roundedUp(Math.min(10, (isChanged ? 1.08 : 1) * (impact + ease)));
}

/** Up to one decimal, safe from the errors of binary fractions. Source: CVSS v3.1 specification, appendix A. */
function roundedUp(score: number): number {
  const exact = Math.round(score * 100_000);
  return exact % 10_000 === 0 ? exact / 100_000 : (Math.floor(exact / 10_000) + 1) / 10;
}

/** Source: CVSS v2.0 guide, section 3.2.1. */
function v2Score(metrics: CvssMetrics): number {
  const impact = 10.41 * cvssLost(CVSS_V2.CIA, metrics);
  const ease = 20 * cvssV2Ease(metrics);
  return impact === 0 && !Number.isNaN(ease) ? 0 : Math.round((0.6 * impact + 0.4 * ease - 1.5) * 1.176 * 10) / 10;
}
