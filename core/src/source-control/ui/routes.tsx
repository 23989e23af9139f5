import { msg } from '../../platform/model/message.ts';
import { requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: RouteEntry[] = [
  {
    path: '/oauth/callback/:connector',
    layout: 'home',
    guards: [requires('connectors.write')],
    title: msg('Signing in'),
    load: async () => (await import('./callback-screen.tsx')).CallbackScreen,
  },
];
