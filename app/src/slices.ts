import { navigation as accountsNavigation } from '@breakwater/core/accounts/ui/navigation.ts';
import { routes as accountsRoutes } from '@breakwater/core/accounts/ui/routes.tsx';
import { routes as auditRoutes } from '@breakwater/core/audit/ui/routes.tsx';
import { routes as billingRoutes } from '@breakwater/core/billing/ui/routes.tsx';
import { navigation as clientsNavigation } from '@breakwater/core/clients/ui/navigation.ts';
import { routes as clientsRoutes } from '@breakwater/core/clients/ui/routes.tsx';
import { navigation as connectorsNavigation } from '@breakwater/core/connectors/ui/navigation.ts';
import { routes as connectorsRoutes } from '@breakwater/core/connectors/ui/routes.tsx';
import { routes as feedbackRoutes } from '@breakwater/core/feedback/ui/routes.tsx';
import { navigation as findingsNavigation } from '@breakwater/core/findings/ui/navigation.ts';
import { routes as findingsRoutes } from '@breakwater/core/findings/ui/routes.tsx';
import { navigation as frameworksNavigation } from '@breakwater/core/frameworks/ui/navigation.ts';
import { routes as frameworksRoutes } from '@breakwater/core/frameworks/ui/routes.tsx';
import { routes as ingestRoutes } from '@breakwater/core/ingest/ui/routes.tsx';
import { routes as installedPluginRoutes } from '@breakwater/core/installed-plugins/ui/routes.tsx';
import { routes as notificationRoutes } from '@breakwater/core/notifications/ui/routes.tsx';
import { navigation as operationsNavigation } from '@breakwater/core/operations/ui/navigation.ts';
import { routes as operationsRoutes } from '@breakwater/core/operations/ui/routes.tsx';
import { routes as partnerRoutes } from '@breakwater/core/partners/ui/routes.tsx';
import { navigation as postureNavigation } from '@breakwater/core/posture/ui/navigation.ts';
import { routes as postureRoutes } from '@breakwater/core/posture/ui/routes.tsx';
import { navigation as prioritisationNavigation } from '@breakwater/core/prioritisation/ui/navigation.ts';
import { routes as prioritisationRoutes } from '@breakwater/core/prioritisation/ui/routes.tsx';
import { routes as publishedConnectorRoutes } from '@breakwater/core/published-connectors/ui/routes.tsx';
import { routes as remediationRoutes } from '@breakwater/core/remediation/ui/routes.tsx';
import { navigation as repositoriesNavigation } from '@breakwater/core/repositories/ui/navigation.ts';
import { routes as repositoriesRoutes } from '@breakwater/core/repositories/ui/routes.tsx';
import { navigation as sbomNavigation } from '@breakwater/core/sbom/ui/navigation.ts';
import { routes as sbomRoutes } from '@breakwater/core/sbom/ui/routes.tsx';
import { navigation as scanningNavigation } from '@breakwater/core/scanning/ui/navigation.ts';
import { routes as scanningRoutes } from '@breakwater/core/scanning/ui/routes.tsx';
import { routes as sessionRoutes } from '@breakwater/core/session/ui/routes.tsx';
import type { NavigationEntry } from '@breakwater/core/shell/ui/navigation/navigation.store.ts';
import type { RouteEntry } from '@breakwater/core/shell/ui/routing/route-entry.ts';
import {
  navigation as settingsNavigation,
  routes as settingsRoutes,
} from '@breakwater/core/shell/ui/settings/routes.tsx';
import { routes as singleSignOnRoutes } from '@breakwater/core/single-sign-on/ui/routes.tsx';
import { routes as sourceControlRoutes } from '@breakwater/core/source-control/ui/routes.tsx';
import { navigation as teamNavigation } from '@breakwater/core/team/ui/navigation.ts';
import { routes as teamRoutes } from '@breakwater/core/team/ui/routes.tsx';

/** The rail, top to bottom. */
export const navigation: readonly NavigationEntry[] = [
  ...clientsNavigation,
  ...operationsNavigation,
  ...postureNavigation,
  ...findingsNavigation,
  ...sbomNavigation,
  ...frameworksNavigation,
  ...repositoriesNavigation,
  ...connectorsNavigation,
  ...scanningNavigation,
  ...prioritisationNavigation,
  ...teamNavigation,
  ...accountsNavigation,
  ...settingsNavigation,
];

/** Every page of the application: the slices' routes, one after the other. */
export const routeTable: readonly RouteEntry[] = [
  ...postureRoutes,
  ...sessionRoutes,
  ...singleSignOnRoutes,
  ...accountsRoutes,
  ...findingsRoutes,
  ...remediationRoutes,
  ...sbomRoutes,
  ...frameworksRoutes,
  ...repositoriesRoutes,
  ...ingestRoutes,
  ...connectorsRoutes,
  ...sourceControlRoutes,
  ...scanningRoutes,
  ...prioritisationRoutes,
  ...billingRoutes,
  ...partnerRoutes,
  ...publishedConnectorRoutes,
  ...installedPluginRoutes,
  ...operationsRoutes,
  ...clientsRoutes,
  ...notificationRoutes,
  ...feedbackRoutes,
  ...teamRoutes,
  ...auditRoutes,
  ...settingsRoutes,
];
