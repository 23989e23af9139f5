import type { Endpoint } from '../../platform/server/endpoint.ts';
import { connectionEndpoints } from './connection-endpoints.ts';
import type { SourceControlDeps } from './deps.ts';
import { repositoryEndpoints } from './repository-endpoints.ts';

/** Providers of source code: signing in, their repositories and branches. */
export const createSourceControlEndpoints = (deps: SourceControlDeps): Endpoint[] => [
  ...connectionEndpoints(deps),
  ...repositoryEndpoints(deps),
];
