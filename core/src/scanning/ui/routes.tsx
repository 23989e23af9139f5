import { msg } from '../../platform/model/message.ts';
import { requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: RouteEntry[] = [
  {
    path: '/connector/scanners',
    layout: 'home',
    guards: [requires('scans.read')],
    title: msg('Scanners'),
    load: async () => (await import('./scanners-screen.tsx')).ScannersScreen,
  },
];
