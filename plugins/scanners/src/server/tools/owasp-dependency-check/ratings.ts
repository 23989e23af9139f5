import { type Cvss, cvss } from '../../lib/cvss.ts';
import { fields, label } from '../../lib/read.ts';

/** Metrics in words, as the report has them, and their names in a vector. */
const V3 = [
  ['AV', 'attackVector'],
  ['AC', 'attackComplexity'],
  ['PR', 'privilegesRequired'],
  ['UI', 'userInteraction'],
  ['S', 'scope'],
  ['C', 'confidentialityImpact'],
  ['I', 'integrityImpact'],
  ['A', 'availabilityImpact'],
] as const;
const V2 = [
  ['AV', 'accessVector'],
  ['AC', 'accessComplexity'],
  ['Au', 'authenticationr'],
  ['C', 'confidentialityImpact'],
  ['I', 'integrityImpact'],
  ['A', 'availabilityImpact'],
] as const;

export function ratings(record: Record<string, unknown>): (Cvss | undefined)[] {
  const v4 = fields(record.cvssv4);
  const v3 = fields(record.cvssv3);
  const v2 = fields(record.cvssv2);
  return [
    cvss(label(v3.version) ?? '3.0', v3.baseScore, vector(v3, V3)),
    cvss('4.0', v4.baseScore, v4.vectorString),
    cvss('2.0', v2.score, vector(v2, V2)),
  ];
}

/** Every value's first letter is its letter in the vector (NETWORK is N); incomplete ones give none. */
function vector(rating: Record<string, unknown>, metrics: readonly (readonly [string, string])[]): string | undefined {
  const parts = metrics.map(([short, name]) => {
    const letter = label(
      rating[name] ?? (name === 'confidentialityImpact' ? rating.confidentialImpact : undefined),
    )?.[0];
    return letter === undefined ? undefined : `${short}:${letter.toUpperCase()}`;
  });
  return parts.includes(undefined) ? undefined : parts.join('/');
}
