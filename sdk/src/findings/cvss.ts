/** Weights of the values of a metric. */
export type CvssScale = Readonly<Record<string, number>>;
/** Values of a vector's metrics by name. */
export type CvssMetrics = ReadonlyMap<string, string>;

/** Weights of the base metrics of v3.1; those of v3.0 are the same. Source: FIRST.org, CVSS v3.1 specification, section 7.4. */
export const CVSS_V3 = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  PR_CHANGED: { N: 0.85, L: 0.68, H: 0.5 },
  UI: { N: 0.85, R: 0.62 },
  CIA: { H: 0.56, L: 0.22, N: 0 },
} as const satisfies Record<string, CvssScale>;

/** Weights of the base metrics of v2. Source: FIRST.org, CVSS v2.0 guide, section 3.2.1. */
export const CVSS_V2 = {
  AV: { N: 1, A: 0.646, L: 0.395 },
  AC: { L: 0.71, M: 0.61, H: 0.35 },
  Au: { N: 0.704, S: 0.56, M: 0.45 },
  CIA: { C: 0.66, P: 0.275, N: 0 },
} as const satisfies Record<string, CvssScale>;

/**
 * The metrics of a vector of any version in the order in which they stand, with its prefix (`CVSS:3.1`) as the first where it has one.
 * A name that stands twice is there twice. `CVSS:3.1/AV:N/…`, `AV:N/AC:L/Au:N/…` and the same in brackets, as NVD wrote v2.
 */
export const cvssMetrics = (vector: string): [name: string, value: string][] =>
  vector
    .replace(/^\(|\)$/g, '')
    .split('/')
    .map((metric) => {
      const [name = '', value = ''] = metric.split(':');
      return [name, value];
    });

/** Weight of a metric; not a number where it is missing or has a value that the scale does not know. */
export const cvssWeight = (scale: CvssScale, metrics: CvssMetrics, name: string): number => {
  const value = metrics.get(name) ?? '';
  return Object.hasOwn(scale, value) ? (scale[value] ?? Number.NaN) : Number.NaN;
};

/** Product of the weights of several metrics, each with its own scale. */
export const cvssProduct = (
  metrics: CvssMetrics,
  scales: readonly (readonly [name: string, scale: CvssScale])[],
): number => scales.reduce((product, [name, scale]) => product * cvssWeight(scale, metrics, name), 1);

/** 1 - (1 - C) × (1 - I) × (1 - A): how much is lost, 0-1. @param names of the three metrics; v4 calls them `VC`, `SC` and so on. */
export const cvssLost = (scale: CvssScale, metrics: CvssMetrics, names: readonly string[] = ['C', 'I', 'A']): number =>
  1 - names.reduce((left, name) => left * (1 - cvssWeight(scale, metrics, name)), 1);

/** AV × AC × PR × UI of v3: the exploitability sub-score without its factor 8.22. Source: CVSS v3.1 specification, section 7.1. */
export const cvssV3Ease = (metrics: CvssMetrics, isChanged: boolean): number =>
  cvssProduct(metrics, [
    ['AV', CVSS_V3.AV],
    ['AC', CVSS_V3.AC],
    ['PR', isChanged ? CVSS_V3.PR_CHANGED : CVSS_V3.PR],
    ['UI', CVSS_V3.UI],
  ]);

/**
 * The impact sub-score of v3; below 0 where nothing is lost in a changed scope, which counts as 0. Source: CVSS v3.1 specification,
 * section 7.1. @param lost what `cvssLost` says. @param isChanged the scope (`S:C`)
 */
export const cvssV3Impact = (lost: number, isChanged: boolean): number =>
  isChanged ? 7.52 * (lost - 0.029) - 3.25 * Math.max(0, lost - 0.02) ** 15 : 6.42 * lost;

/** AV × AC × Au of v2: the exploitability sub-score without its factor 20. Source: CVSS v2.0 guide, section 3.2.1. */
export const cvssV2Ease = (metrics: CvssMetrics): number =>
  cvssProduct(metrics, [
    ['AV', CVSS_V2.AV],
    ['AC', CVSS_V2.AC],
    ['Au', CVSS_V2.Au],
  ]);
