import type { RouteEntry } from '../../shell/ui/route-entry.ts';

export const routes: RouteEntry[] = [
  {
    path: '/settings/reference-data',
    layout: 'home',
    title: 'Reference data',
    load: async () => (await import('./screens/reference-data-screen.tsx')).ReferenceDataScreen,
  },
];
