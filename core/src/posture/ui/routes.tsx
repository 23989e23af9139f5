import { insideOrganization } from '../../shell/ui/guards.ts';
import type { RouteEntry } from '../../shell/ui/route-entry.ts';

export const routes: RouteEntry[] = [
  {
    path: '/',
    layout: 'home',
    guards: [insideOrganization],
    title: 'Dashboard',
    load: async () => (await import('./screens/dashboard-screen.tsx')).DashboardScreen,
  },
];
