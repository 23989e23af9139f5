import type { Endpoint } from '../../platform/server/endpoint.ts';
import { connectionEndpoints } from './connection-endpoints.ts';
import type { SourceControlDeps } from './deps.ts';
import { postureEndpoints } from './posture/posture-endpoints.ts';
import { findDuePosture, readPostureJob } from './posture/posture-jobs.ts';
import { repositoryEndpoints } from './repository-endpoints.ts';
import type { WebhookDeps } from './webhooks/make-webhook.ts';
import { deleteLeftWebhookJob } from './webhooks/remove-webhooks.ts';
import { webhookEndpoints } from './webhooks/webhook-endpoints.ts';
import { findDueWebhooks, makeWebhookJob } from './webhooks/webhook-jobs.ts';
import { workflowEndpoints } from './workflow-pull-request.ts';

export { countSettingStates, type SettingStates } from './posture/count-setting-states.ts';
export { type PostureJobDeps, readPostureSoon } from './posture/posture-jobs.ts';
export { type PostureDeps, postureIssue, readPosture } from './posture/read-posture.ts';
export type { WebhookDeps } from './webhooks/make-webhook.ts';
export { createWebhookFollower, removeWebhooks } from './webhooks/remove-webhooks.ts';
export type { WebhookJobDeps } from './webhooks/webhook-jobs.ts';
export { enqueueDueWebhooks } from './webhooks/webhook-jobs.ts';

/** Providers of source code: signing in, their repositories and branches. */
export const createSourceControlEndpoints = (deps: SourceControlDeps & WebhookDeps): Endpoint[] => [
  ...connectionEndpoints(deps),
  ...repositoryEndpoints(deps),
  ...postureEndpoints(deps),
  ...workflowEndpoints(deps),
  ...webhookEndpoints(deps),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const sourceControlJobs = [
  readPostureJob,
  findDuePosture,
  makeWebhookJob,
  findDueWebhooks,
  deleteLeftWebhookJob,
] as const;
