/** How easily it is exploited and how much it does, 0-1 each. */
export interface CvssShares {
  exploitability: number;
  impact: number;
  /** True where the standard itself defines the two figures (v2, v3); v4 has none, there they are ours. */
  isStandard: boolean;
}

type Scale = Readonly<Record<string, number>>;
type Metrics = ReadonlyMap<string, string>;

/** Weights of CVSS v3.1, section 7.4. */
const V3 = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  PR_CHANGED: { N: 0.85, L: 0.68, H: 0.5 },
  UI: { N: 0.85, R: 0.62 },
  CIA: { H: 0.56, L: 0.22, N: 0 },
} as const satisfies Record<string, Scale>;
/** Weights of CVSS v2.0, section 3.2.1. */
const V2 = {
  AV: { N: 1, A: 0.646, L: 0.395 },
  AC: { L: 0.71, M: 0.61, H: 0.35 },
  Au: { N: 0.704, S: 0.56, M: 0.45 },
  CIA: { C: 0.66, P: 0.275, N: 0 },
} as const satisfies Record<string, Scale>;
/** v4 metrics on the weights of v3; a passive victim costs less than an active one. */
const V4_AT: Scale = { N: 1, P: 0.75 };
const V4_UI: Scale = { N: 0.85, P: 0.7, A: 0.62 };

const V3_MOST_EXPLOITABLE = 0.85 * 0.77 * 0.85 * 0.85;
const V2_MOST_EXPLOITABLE = 0.71 * 0.704;
/** Impact of S:C/C:H/I:H/A:H. */
const V3_MOST_IMPACT = 6.048;
const V2_MOST_IMPACT = 1 - 0.34 ** 3;

const metricsOf = (vector: string): Metrics =>
  new Map(
    vector
      .replace(/^\(|\)$/g, '')
      .split('/')
      .map((metric): [string, string] => {
        const [name = '', value = ''] = metric.split(':');
        return [name, value];
      }),
  );

const weight = (scale: Scale, metrics: Metrics, name: string): number => scale[metrics.get(name) ?? ''] ?? Number.NaN;

const product = (numbers: readonly number[]): number => numbers.reduce((result, number) => result * number, 1);

const lost = (scale: Scale, metrics: Metrics, names: readonly string[]): number =>
  1 - product(names.map((name) => 1 - weight(scale, metrics, name)));

const v3Impact = (base: number, isChanged: boolean): number =>
  (isChanged ? 7.52 * (base - 0.029) - 3.25 * Math.max(0, base - 0.02) ** 15 : 6.42 * base) / V3_MOST_IMPACT;

const v3Shares = (metrics: Metrics): Omit<CvssShares, 'isStandard'> => {
  const isChanged = metrics.get('S') === 'C';
  const ease = [
    weight(V3.AV, metrics, 'AV'),
    weight(V3.AC, metrics, 'AC'),
    weight(isChanged ? V3.PR_CHANGED : V3.PR, metrics, 'PR'),
    weight(V3.UI, metrics, 'UI'),
  ];
  const base = lost(V3.CIA, metrics, ['C', 'I', 'A']);
  return { exploitability: product(ease) / V3_MOST_EXPLOITABLE, impact: base === 0 ? 0 : v3Impact(base, isChanged) };
};

const v2Shares = (metrics: Metrics): Omit<CvssShares, 'isStandard'> => ({
  exploitability:
    product([weight(V2.AV, metrics, 'AV'), weight(V2.AC, metrics, 'AC'), weight(V2.Au, metrics, 'Au')]) /
    V2_MOST_EXPLOITABLE,
  impact: lost(V2.CIA, metrics, ['C', 'I', 'A']) / V2_MOST_IMPACT,
});

const v4Shares = (metrics: Metrics): Omit<CvssShares, 'isStandard'> => {
  const ease = [
    weight(V3.AV, metrics, 'AV'),
    weight(V3.AC, metrics, 'AC'),
    weight(V4_AT, metrics, 'AT'),
    weight(V3.PR, metrics, 'PR'),
    weight(V4_UI, metrics, 'UI'),
  ];
  const own = lost(V3.CIA, metrics, ['VC', 'VI', 'VA']);
  const others = lost(V3.CIA, metrics, ['SC', 'SI', 'SA']);
  const impact = others > 0 ? v3Impact(Math.max(own, others), true) : v3Impact(own, false);
  return { exploitability: product(ease) / V3_MOST_EXPLOITABLE, impact: own === 0 && others === 0 ? 0 : impact };
};

const sharesOf = (vector: string): CvssShares => {
  const metrics = metricsOf(vector);
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
