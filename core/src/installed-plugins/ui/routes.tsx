import { msg } from '../../platform/model/message.ts';
import { requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/connector/plugins',
    layout: 'home',
    guards: [requires('connectors.read')],
    title: msg('Plugins'),
    load: async () => (await import('./plugins-screen.tsx')).PluginsScreen,
  },
];
