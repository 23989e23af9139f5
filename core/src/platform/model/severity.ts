import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { msg } from './message.ts';

/** Severity as stored: 4 critical, 3 high, 2 medium, 1 low, 0 informational. */
export const severityRank = (severity: Severity): number => SEVERITIES.length - 1 - SEVERITIES.indexOf(severity);

/** The word of a stored severity. @throws RangeError outside 0-4. */
export const severityOfRank = (rank: number): Severity => {
  const severity = SEVERITIES[SEVERITIES.length - 1 - rank];
  if (severity === undefined) throw new RangeError(`There is no severity ${rank}`);
  return severity;
};

/** `severity_numerical` of a severity that nothing says more exactly, 0-100. */
export const SEVERITY_NUMERICAL: Readonly<Record<Severity, number>> = {
  critical: 95,
  high: 75,
  medium: 50,
  low: 25,
  informational: 5,
};

export const SEVERITY_LABELS: Readonly<Record<Severity, string>> = {
  critical: msg('Critical'),
  high: msg('High'),
  medium: msg('Medium'),
  low: msg('Low'),
  informational: msg('Informational'),
};
