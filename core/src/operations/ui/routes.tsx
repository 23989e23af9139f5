import { msg } from '../../platform/model/message.ts';
import { requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/platform/health',
    layout: 'home',
    guards: [requires('platform.operate')],
    title: msg('Health'),
    load: async () => (await import('./health-screen.tsx')).HealthScreen,
  },
];
