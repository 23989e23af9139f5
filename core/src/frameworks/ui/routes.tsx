import { msg } from '../../platform/model/message.ts';
import { insideOrganization, requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

const page = { layout: 'home', guards: [insideOrganization, requires('findings.read')] } as const;

export const routes: RouteEntry[] = [
  {
    ...page,
    path: '/frameworks',
    title: msg('Frameworks'),
    load: async () => (await import('./frameworks-screen.tsx')).FrameworksScreen,
  },
  {
    ...page,
    path: '/frameworks/:id',
    title: msg('Framework'),
    load: async () => (await import('./framework-screen.tsx')).FrameworkScreen,
  },
];
