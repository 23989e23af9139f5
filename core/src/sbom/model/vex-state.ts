/** A statement of CycloneDX VEX. Source: CycloneDX 1.6 "vulnerabilities[].analysis". */
export interface VexAnalysis {
  state: 'resolved' | 'exploitable' | 'in_triage' | 'false_positive' | 'not_affected';
  justification?: 'protected_by_mitigating_control';
  response?: readonly ('will_not_fix' | 'update')[];
}

export type StatedVerdict = 'none' | 'valid' | 'false_positive' | 'accepted_risk' | 'mitigated_externally';

/**
 * What a verdict says to others. Why: docs/decisions/2026-11-21-exports-of-inventories-and-verdicts.md.
 * `isClosed`: the newest report of the scope no longer has it. `hasFix`: a fixed version is known.
 */
export const vexAnalysis = (finding: { verdict: StatedVerdict; isClosed: boolean; hasFix: boolean }): VexAnalysis => {
  switch (finding.verdict) {
    case 'false_positive':
      return { state: 'false_positive' };
    case 'mitigated_externally':
      return { state: 'not_affected', justification: 'protected_by_mitigating_control' };
    case 'accepted_risk':
      return finding.isClosed ? { state: 'resolved' } : { state: 'exploitable', response: ['will_not_fix'] };
    case 'valid':
      if (finding.isClosed) return { state: 'resolved' };
      return finding.hasFix ? { state: 'exploitable', response: ['update'] } : { state: 'exploitable' };
    case 'none':
      return { state: finding.isClosed ? 'resolved' : 'in_triage' };
  }
};
