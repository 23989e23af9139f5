import { msg } from '../../platform/model/message.ts';
import { insideOrganization, requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: RouteEntry[] = [
  {
    path: '/sbom-findings',
    layout: 'home',
    guards: [insideOrganization],
    title: msg('SBOM'),
    load: async () => (await import('./list/components-screen.tsx')).ComponentsScreen,
  },
  {
    path: '/sbom-findings/:id',
    layout: 'home',
    guards: [insideOrganization],
    title: msg('Component'),
    load: async () => (await import('./detail/component-screen.tsx')).ComponentScreen,
  },
  {
    path: '/sbom-findings/changes/:id',
    layout: 'home',
    guards: [insideOrganization],
    title: msg('Changes of an inventory'),
    load: async () => (await import('./changes/inventory-changes-screen.tsx')).InventoryChangesScreen,
  },
  {
    path: '/settings/license-policy',
    layout: 'home',
    guards: [insideOrganization, requires('settings.read')],
    title: msg('Licence policy'),
    load: async () => (await import('./policy/license-policy-screen.tsx')).LicensePolicyScreen,
  },
  {
    path: '/settings/newest-versions',
    layout: 'home',
    guards: [insideOrganization, requires('settings.read')],
    title: msg('Newest versions'),
    load: async () => (await import('./versions/version-lookup-screen.tsx')).VersionLookupScreen,
  },
  // Source: specification §2, "always answers 404".
  {
    path: '/sbom-findings/detail/:id',
    title: msg('Page not found'),
    error: { status: 404, message: msg('Page Not Found') },
  },
];
