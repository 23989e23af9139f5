import type { FixGroupsProps } from '../../findings/ui/index.ts';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
/** What the list of findings shows of fixes, each in a chunk of its own. */
export const fixPort = {
  readFix: async (api: ApiClient, of: { id: string; filters: FixGroupsProps['filters'] }, signal: AbortSignal) =>
    (await import('./read-fix.ts')).readFix(api, of, signal),
  load: async () => (await import('./fix-panel.tsx')).FixPanel,
  loadGroups: async () => (await import('./groups/fix-groups.tsx')).FixGroups,
  loadAiMonth: async () => (await import('./ai/ai-month.tsx')).AiMonth,
  loadBulk: async () => (await import('./bulk/bulk-fix-dialog.tsx')).BulkFixDialog,
  loadAssessVerb: async () => (await import('./assessment/assess-verb.tsx')).AssessVerb,
  loadBulkAssessment: async () => (await import('./assessment/bulk-assessment-dialog.tsx')).BulkAssessmentDialog,
  loadAssessment: async () => (await import('./assessment/assessment-panel.tsx')).AssessmentPanel,
};
