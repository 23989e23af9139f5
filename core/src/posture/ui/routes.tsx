import type { RouteEntry } from '../../shell/ui/route-entry.ts';

export const routes: RouteEntry[] = [
  {
    path: '/',
    layout: 'home',
    title: 'Dashboard',
    load: async () => (await import('./screens/dashboard-screen.tsx')).DashboardScreen,
  },
];
