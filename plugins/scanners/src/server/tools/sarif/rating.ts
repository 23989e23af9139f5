import type { Severity } from '@breakwater/sdk';
import { defined, fields, label, number } from '../../lib/read.ts';
import { severityFromScore, severityFromWord, severityNumber } from '../../lib/severity.ts';

export interface Rating {
  severity: Severity;
  nativeSeverity: string;
  severityNumerical?: number;
  cvssScore?: number;
  cvssVector?: string;
}

/**
 * Severity of a result. `security-severity` (0-10, or a word) is the tool's finer scale and wins over the three levels;
 * the level comes from the result, else from its rule, else it is "warning" (SARIF 2.1.0 §3.27.10).
 */
export function ratingOf(result: Record<string, unknown>, rule: Record<string, unknown>): Rating {
  const properties = fields(result.properties);
  const ruleProperties = fields(rule.properties);
  const level = label(result.level) ?? label(fields(rule.defaultConfiguration).level) ?? 'warning';
  const stated = properties['security-severity'] ?? ruleProperties['security-severity'];
  const score = scoreOf(stated);
  const word =
    severityFromWord(label(stated)) ??
    severityFromWord(label(properties.issue_severity) ?? label(properties.severity)) ??
    severityFromWord(label(properties.DevSkimSeverity));
  const severity = severityFromScore(score) ?? word ?? severityFromLevel(level);
  return defined({
    severity,
    nativeSeverity: level,
    severityNumerical: severityNumber(severity, score),
    cvssScore: scoreOf(ruleProperties.cvssv3_baseScore) ?? score,
    cvssVector: label(ruleProperties.cvssv3_vector) ?? label(ruleProperties.cvssV3_vector),
  });
}

/** 0 means "not rated" in what scanners write here. */
function scoreOf(value: unknown): number | undefined {
  const points = number(value);
  return points !== undefined && points > 0 && points <= 10 ? points : undefined;
}

function severityFromLevel(level: string): Severity {
  return severityFromWord(level) ?? 'medium';
}
