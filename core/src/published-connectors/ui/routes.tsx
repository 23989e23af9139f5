import { msg } from '../../platform/model/message.ts';
import { requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/connector/published',
    layout: 'home',
    guards: [requires('connectors.read')],
    title: msg('Published connectors'),
    load: async () => (await import('./published-screen.tsx')).PublishedScreen,
  },
  {
    path: '/connector/builder',
    layout: 'home',
    guards: [requires('connectors.write')],
    title: msg('Build a connector'),
    load: async () => (await import('./builder/builder-screen.tsx')).BuilderScreen,
  },
];
