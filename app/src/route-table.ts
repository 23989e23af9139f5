import { routes as clients } from '@breakwater/core/clients/ui/routes.tsx';
import { routes as connectors } from '@breakwater/core/connectors/ui/routes.tsx';
import { routes as findings } from '@breakwater/core/findings/ui/routes.tsx';
import { routes as ingest } from '@breakwater/core/ingest/ui/routes.tsx';
import { routes as posture } from '@breakwater/core/posture/ui/routes.tsx';
import { routes as prioritisation } from '@breakwater/core/prioritisation/ui/routes.tsx';
import { routes as repositories } from '@breakwater/core/repositories/ui/routes.tsx';
import { routes as sbom } from '@breakwater/core/sbom/ui/routes.tsx';
import { routes as session } from '@breakwater/core/session/ui/routes.tsx';
import type { RouteEntry } from '@breakwater/core/shell/ui/routing/route-entry.ts';

/** Every page of the application: the slices' routes, one after the other. */
export const routeTable: readonly RouteEntry[] = [
  ...posture,
  ...session,
  ...findings,
  ...sbom,
  ...repositories,
  ...ingest,
  ...connectors,
  ...prioritisation,
  ...clients,
];
