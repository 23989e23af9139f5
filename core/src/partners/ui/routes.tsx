import { msg } from '../../platform/model/message.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/partners',
    layout: 'home',
    title: msg('Partners'),
    load: async () => (await import('./partners-screen.tsx')).PartnersScreen,
  },
];
