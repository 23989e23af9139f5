import { msg } from '../../platform/model/message.ts';
import { insideOrganization, requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

/** The specification writes it with a capital; the router reads both. */
export const routes: RouteEntry[] = [
  {
    path: '/Repositories',
    layout: 'home',
    guards: [insideOrganization],
    title: msg('Repositories'),
    load: async () => (await import('./repositories-screen.tsx')).RepositoriesScreen,
  },
  {
    path: '/manage-repositories',
    layout: 'home',
    guards: [insideOrganization, requires('repositories.write')],
    title: msg('Import repositories'),
    load: async () => (await import('./import/import-screen.tsx')).ImportScreen,
  },
];
