import type { Endpoint } from '../../platform/server/endpoint.ts';
import { connectionEndpoints } from './connection-endpoints.ts';
import type { SourceControlDeps } from './deps.ts';
import { postureEndpoints } from './posture/posture-endpoints.ts';
import { findDuePosture, readPostureJob } from './posture/posture-jobs.ts';
import { repositoryEndpoints } from './repository-endpoints.ts';
import { workflowEndpoints } from './workflow-pull-request.ts';

export type { PostureJobDeps } from './posture/posture-jobs.ts';
export { type PostureDeps, postureIssue, readPosture } from './posture/read-posture.ts';

/** Providers of source code: signing in, their repositories and branches. */
export const createSourceControlEndpoints = (deps: SourceControlDeps): Endpoint[] => [
  ...connectionEndpoints(deps),
  ...repositoryEndpoints(deps),
  ...postureEndpoints(deps),
  ...workflowEndpoints(deps),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const sourceControlJobs = [readPostureJob, findDuePosture] as const;
