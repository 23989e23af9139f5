import { msg } from '../../platform/model/message.ts';
import { insideOrganization, requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: RouteEntry[] = [
  {
    path: '/settings/prioritisation',
    layout: 'home',
    title: msg('Prioritisation'),
    guards: [insideOrganization, requires('settings.read')],
    load: async () => (await import('./priority-settings-screen.tsx')).PrioritySettingsScreen,
  },
  {
    path: '/settings/reference-data',
    layout: 'home',
    title: msg('Reference data'),
    guards: [requires('platform.read')],
    load: async () => (await import('./reference-data-screen.tsx')).ReferenceDataScreen,
  },
];
