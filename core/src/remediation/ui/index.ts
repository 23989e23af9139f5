/** What the list of findings shows of fixes, each in a chunk of its own. */
export const fixPort = {
  load: async () => (await import('./fix-panel.tsx')).FixPanel,
  loadGroups: async () => (await import('./groups/fix-groups.tsx')).FixGroups,
  loadAiMonth: async () => (await import('./ai/ai-month.tsx')).AiMonth,
  loadBulk: async () => (await import('./bulk/bulk-fix-dialog.tsx')).BulkFixDialog,
  loadAssessVerb: async () => (await import('./assessment/assess-verb.tsx')).AssessVerb,
  loadBulkAssessment: async () => (await import('./assessment/bulk-assessment-dialog.tsx')).BulkAssessmentDialog,
  loadAssessment: async () => (await import('./assessment/assessment-panel.tsx')).AssessmentPanel,
};
