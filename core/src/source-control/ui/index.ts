/** What the settings of a repository at its provider say; in a chunk of its own. */
export const loadRepositoryPosture = async () => (await import('./posture/repository-posture.tsx')).RepositoryPosture;

/** The webhook of a repository at its provider; in a chunk of its own. */
export const loadRepositoryWebhook = async () =>
  (await import('./webhook/repository-webhook.tsx')).RepositoryWebhookCard;

/** Proposes a pipeline that scans and uploads; in a chunk of its own. */
export const loadWorkflowPullRequest = async () =>
  (await import('./workflow/workflow-pull-request.tsx')).WorkflowPullRequest;
