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
  {
    path: '/platform/access-log',
    layout: 'home',
    guards: [requires('platform.operate')],
    title: msg('Access log'),
    load: async () => (await import('./access-log-screen.tsx')).AccessLogScreen,
  },
];
