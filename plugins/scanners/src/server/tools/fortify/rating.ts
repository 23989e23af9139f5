import type { Severity } from '@breakwater/sdk';
import { number } from '../../lib/read.ts';

/** Texts of a rule's or an instance's `<Group name="…">`. */
export type Groups = ReadonlyMap<string, string>;

export interface InstanceRating {
  /** 0-5, `InstanceSeverity`. */
  severity: string | undefined;
  /** 0-5. */
  confidence: string | undefined;
}

/** Half of the scale parts high from low. */
const HIGH = 2.5;

/**
 * Fortify Priority Order: impact × likelihood, where likelihood is accuracy × confidence × probability / 25. What the
 * instance says wins over its rule. Without these figures the instance's severity (1-5) is all there is.
 */
export function severityOf(
  { severity, confidence }: InstanceRating,
  instance: Groups,
  rule: Groups | undefined,
): Severity {
  const figure = (name: string) => number(instance.get(name)) ?? number(rule?.get(name));
  const impact = figure('Impact');
  const accuracy = figure('Accuracy');
  const probability = figure('Probability');
  const sure = figure('Confidence') ?? number(confidence);
  if (impact !== undefined && accuracy !== undefined && probability !== undefined && sure !== undefined) {
    // Fortify compares the likelihood as it shows it, with one digit.
    const isLikely = Math.round((accuracy * sure * probability) / 2.5) / 10 >= HIGH;
    return impact >= HIGH ? (isLikely ? 'critical' : 'high') : isLikely ? 'medium' : 'low';
  }
  const points = number(severity) ?? 0;
  if (points >= 4.5) return 'critical';
  if (points >= 3.5) return 'high';
  if (points >= 2.5) return 'medium';
  return points >= 1.5 ? 'low' : 'informational';
}
