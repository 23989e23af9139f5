import { msg } from '../../platform/model/message.ts';
import { insideOrganization } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/findings/:id/fix',
    layout: 'home',
    guards: [insideOrganization],
    title: msg('Patch'),
    load: async () => (await import('./patch/patch-screen.tsx')).PatchScreen,
  },
];
