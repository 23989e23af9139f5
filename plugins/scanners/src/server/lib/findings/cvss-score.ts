/** Base scores of CVSS v2 and v3. Version 4 has no formula but a table of experts' judgements, which is not kept here. */

type Scale = Readonly<Record<string, number>>;
type Metrics = ReadonlyMap<string, string>;

/** Source: CVSS v3.1 specification, §7.4; the base metrics of v3.0 weigh the same. */
const V3 = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  PR_CHANGED: { N: 0.85, L: 0.68, H: 0.5 },
  UI: { N: 0.85, R: 0.62 },
  CIA: { H: 0.56, L: 0.22, N: 0 },
} as const satisfies Record<string, Scale>;

/** Source: CVSS v2.0 guide, §3.2.1. */
const V2 = {
  AV: { N: 1, A: 0.646, L: 0.395 },
  AC: { L: 0.71, M: 0.61, H: 0.35 },
  Au: { N: 0.704, S: 0.56, M: 0.45 },
  CIA: { C: 0.66, P: 0.275, N: 0 },
} as const satisfies Record<string, Scale>;

/** The base score of a vector with all its base metrics, such as `CVSS:3.1/AV:N/…` or `AV:N/AC:L/Au:N/…`; undefined for any other. */
export function baseScore(vector: string): number | undefined {
  const metrics = metricsOf(vector);
  const score = metrics === undefined ? undefined : scoreOf(vector, metrics);
  return score === undefined || Number.isNaN(score) ? undefined : score;
}

function scoreOf(vector: string, metrics: Metrics): number | undefined {
  if (metrics.has('Au')) return v2Score(metrics);
  return /^CVSS:3\.[01]\//i.test(vector) ? v3Score(metrics) : undefined;
}

/** Undefined where a metric is named twice. */
function metricsOf(vector: string): Metrics | undefined {
  const metrics = new Map<string, string>();
  for (const part of vector.replace(/^\(|\)$/g, '').split('/')) {
    const [name = '', value = ''] = part.split(':');
    if (metrics.has(name)) return undefined;
    metrics.set(name, value);
  }
  return metrics;
}

/** Not a number where the metric is missing or has a value that the version does not know. */
function weight(scale: Scale, metrics: Metrics, name: string): number {
  const value = metrics.get(name) ?? '';
  return Object.hasOwn(scale, value) ? (scale[value] ?? Number.NaN) : Number.NaN;
}

function lost(scale: Scale, metrics: Metrics): number {
  return 1 - ['C', 'I', 'A'].reduce((left, name) => left * (1 - weight(scale, metrics, name)), 1);
}

function v3Score(metrics: Metrics): number {
  const scope = metrics.get('S');
  if (scope !== 'U' && scope !== 'C') return Number.NaN;
  const isChanged = scope === 'C';
  const base = lost(V3.CIA, metrics);
  const impact = isChanged ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base;
  const ease =
    8.22 *
    weight(V3.AV, metrics, 'AV') *
    weight(V3.AC, metrics, 'AC') *
    weight(isChanged ? V3.PR_CHANGED : V3.PR, metrics, 'PR') *
    weight(V3.UI, metrics, 'UI');
  if (Number.isNaN(impact) || Number.isNaN(ease)) return Number.NaN;
  return impact <= 0 ? 0 : roundedUp(Math.min(10, (isChanged ? 1.08 : 1) * (impact + ease)));
}

/** Up to one decimal, safe from the errors of binary fractions. Source: CVSS v3.1 specification, appendix A. */
function roundedUp(score: number): number {
  const exact = Math.round(score * 100_000);
  return exact % 10_000 === 0 ? exact / 100_000 : (Math.floor(exact / 10_000) + 1) / 10;
}

function v2Score(metrics: Metrics): number {
  const impact = 10.41 * lost(V2.CIA, metrics);
  const ease = 20 * weight(V2.AV, metrics, 'AV') * weight(V2.AC, metrics, 'AC') * weight(V2.Au, metrics, 'Au');
  return impact === 0 && !Number.isNaN(ease) ? 0 : Math.round((0.6 * impact + 0.4 * ease - 1.5) * 1.176 * 10) / 10;
}
