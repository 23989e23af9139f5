export const VISIBILITY_LABELS = { hide: 'hidden', only: 'only', show: 'shown' } as const;

/** Values of filters as chips show them. */
export const VALUE_LABELS: Readonly<Record<string, string>> = {
  pull_request: 'pull request',
  issue: 'issue',
  update: 'update available',
  no_fix: 'no fix known yet',
  change: 'change of code or configuration',
  overdue: 'overdue',
  due_soon: 'due soon',
  ok: 'in time',
  true: 'yes',
  false: 'no',
  bitbucket_cloud: 'Bitbucket Cloud',
  github: 'GitHub',
  gitlab: 'GitLab',
};
