import { msg } from '../../platform/model/message.ts';
import { insideOrganization } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: RouteEntry[] = [
  {
    path: '/Repositories/:id/scans',
    layout: 'home',
    guards: [insideOrganization],
    title: msg('Imports'),
    load: async () => (await import('./scan-history-screen.tsx')).ScanHistoryScreen,
  },
];
