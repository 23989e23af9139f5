import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Id, Nullable } from '../../platform/api/envelope.ts';

const WorkflowFiles = Type.Array(Type.Object({ path: Type.String(), content: Type.String() }));

/** What a pull request with a pipeline would hold. */
export const WorkflowPreview = Type.Object({
  /** Branch that the pull request comes from, and the one that it goes into. */
  branch: Type.String(),
  into: Type.String(),
  title: Type.String(),
  /** To be committed; what exists is never written over. Empty: everything is there already. */
  files: WorkflowFiles,
  /** What a person has to do besides, lines of Markdown in order. */
  steps: Type.Array(Type.String()),
});

const common = {
  path: '/repositories/{id}/create_workflow_pr',
  tag: 'source-control',
  access: { permission: 'findings.fix', tenant: false },
  params: Type.Object({ id: Id }),
  errors: ['repository_not_found', 'conflict', 'integration_not_configured', 'connection_expired', 'upstream_failed'],
} as const;

export const previewWorkflowPullRequest = route({
  ...common,
  method: 'GET',
  summary: 'What a pull request with a pipeline that scans and uploads would hold; nothing is written',
  response: Type.Object({ data: WorkflowPreview }),
});

/** Asks no provider. */
export const getWorkflowAvailability = route({
  ...common,
  path: '/repositories/{id}/create_workflow_pr/availability',
  method: 'GET',
  summary: 'Whether a pull request with a pipeline can be opened for a repository, and if not, why',
  response: Type.Object({
    data: Type.Object({
      is_available: Type.Boolean(),
      /** Why not, with what to do; null where it can. */
      problem: Nullable(Type.String()),
    }),
  }),
  errors: ['repository_not_found'],
});

export const createWorkflowPullRequest = route({
  ...common,
  method: 'POST',
  summary: 'Open a pull request with a pipeline that scans and uploads; asked for again, it answers the same one',
  response: Action(
    Type.Object({
      url: Type.String(),
      number: Nullable(Type.Integer()),
      files: Type.Array(Type.String()),
      steps: Type.Array(Type.String()),
    }),
  ),
});
