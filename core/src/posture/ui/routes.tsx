import { msg } from '../../platform/model/message.ts';
import { insideOrganization } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: RouteEntry[] = [
  {
    path: '/',
    layout: 'home',
    guards: [insideOrganization],
    title: msg('Dashboard'),
    load: async () => (await import('./dashboard-screen.tsx')).DashboardScreen,
    begin: async (services, url) => {
      if (url.search !== '') return undefined;
      const { DashboardPrefetch } = await import('./dashboard-prefetch.ts');
      return new DashboardPrefetch(services);
    },
  },
  {
    path: '/Repositories/:id',
    layout: 'home',
    guards: [insideOrganization],
    title: msg('Repository'),
    load: async () => (await import('./repository-screen.tsx')).RepositoryScreen,
  },
];
