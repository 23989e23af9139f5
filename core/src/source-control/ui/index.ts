/** What the settings of a repository at its provider say; in a chunk of its own. */
export const loadRepositoryPosture = async () => (await import('./posture/repository-posture.tsx')).RepositoryPosture;

/** Proposes a pipeline that scans and uploads; in a chunk of its own. */
export const loadWorkflowPullRequest = async () =>
  (await import('./workflow/workflow-pull-request.tsx')).WorkflowPullRequest;
