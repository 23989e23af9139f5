import { insideOrganization, requires } from '../../shell/ui/guards.ts';
import type { RouteEntry } from '../../shell/ui/route-entry.ts';

export const routes: RouteEntry[] = [
  {
    path: '/settings/prioritisation',
    layout: 'home',
    title: 'Prioritisation',
    guards: [insideOrganization, requires('settings.read')],
    load: async () => (await import('./screens/priority-settings-screen.tsx')).PrioritySettingsScreen,
  },
  {
    path: '/settings/reference-data',
    layout: 'home',
    title: 'Reference data',
    load: async () => (await import('./screens/reference-data-screen.tsx')).ReferenceDataScreen,
  },
];
