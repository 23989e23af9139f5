import type { FixFinding, FixPlan, FixRequest } from '../../model/fix.ts';

/** Paths that a fix of the finding reads, nearest first; not all of them exist. Pure. */
export const filesForFix = (finding: FixFinding): readonly string[] =>
  finding.file === null || finding.file === '' ? [] : [finding.file];

/** Plans the fix of a finding without AI. Writes nothing; asks nobody but `resolveRef`. */
export const planFix = async ({ finding }: FixRequest): Promise<FixPlan> => ({
  kind: 'none',
  reason: 'needs_code_change',
  detail: `No template changes what ${finding.ruleId} reports.`,
});
