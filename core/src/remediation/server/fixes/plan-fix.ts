import { say } from '../../../platform/model/sentence.ts';
import type { FixFinding, FixPlan, FixRequest } from '../../model/fix.ts';
import { isSecret, planRotation } from './pipelines/secret-checklists.ts';
import { hardeningOf, planHardening } from './pipelines/workflow-hardening.ts';
import { planTemplate, templateOf } from './plan-template.ts';
import { manifestPaths, planUpgrade } from './plan-upgrade.ts';
import { CannotFix } from './text/cannot-fix.ts';

/** Larger files are no manifests that people write. In characters. */
const MAX_FILE_LENGTH = 5_000_000;

/** Paths that a fix of the finding reads, nearest first; not all of them exist. Pure. */
export const filesForFix = (finding: FixFinding): readonly string[] => {
  if (finding.component !== null) return manifestPaths(finding);
  return finding.file === null || finding.file === '' ? [] : [finding.file];
};

const planOf = async (request: FixRequest): Promise<FixPlan> => {
  const { finding } = request;
  const oversized = request.files.find(({ content }) => content.length > MAX_FILE_LENGTH);
  if (oversized !== undefined) {
    throw new CannotFix(
      'manifest_unreadable',
      say('{path} is larger than 5 million characters.', { path: oversized.path }),
    );
  }
  if (finding.component !== null && finding.type !== 'License') return planUpgrade(request, finding.component);
  const template = templateOf(finding.ruleId);
  if (template !== undefined) return planTemplate(request, template);
  const hardening = hardeningOf(finding.ruleId, finding.file);
  if (hardening !== undefined) return planHardening(request, hardening);
  if (isSecret(finding)) return planRotation(request);
  if (finding.type !== 'SAST' && finding.type !== 'DAST') {
    throw new CannotFix('no_template', say('No template answers {rule}.', { rule: finding.ruleId }));
  }
  throw new CannotFix('needs_code_change', say('No template changes what {rule} reports.', { rule: finding.ruleId }));
};

/** Plans the fix of a finding without AI. Writes nothing; asks nobody but `resolveRef`. */
export const planFix = async (request: FixRequest): Promise<FixPlan> => {
  try {
    return await planOf(request);
  } catch (error) {
    if (error instanceof CannotFix) return { kind: 'none', reason: error.reason, detail: error.message };
    throw error;
  }
};
