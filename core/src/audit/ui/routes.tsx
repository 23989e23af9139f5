import { msg } from '../../platform/model/message.ts';
import { requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/settings/audit',
    layout: 'home',
    guards: [requires('audit.read')],
    title: msg('Audit log'),
    load: async () => (await import('./audit-screen.tsx')).AuditScreen,
  },
];
