import { insideOrganization } from '../../shell/ui/guards.ts';
import type { RouteEntry } from '../../shell/ui/route-entry.ts';

export const routes: RouteEntry[] = [
  {
    path: '/Repositories/:id/scans',
    layout: 'home',
    guards: [insideOrganization],
    title: 'Imports',
    load: async () => (await import('./screens/scan-history-screen.tsx')).ScanHistoryScreen,
  },
];
