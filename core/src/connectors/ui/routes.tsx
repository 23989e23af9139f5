import { msg } from '../../platform/model/message.ts';
import { authenticated, requires, requiresQuery } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';
import { NO_PROVIDER } from './data/connector.ts';

export const routes: RouteEntry[] = [
  {
    path: '/connector',
    layout: 'home',
    // The query before the session: the server answers 403 without knowing who asks, and the page has to say the same.
    guards: [requiresQuery('source_control', 403, NO_PROVIDER), authenticated, requires('connectors.read')],
    title: msg('Source control'),
    load: async () => (await import('./catalogue/provider-screen.tsx')).ProviderScreen,
  },
  {
    path: '/connector/providers',
    layout: 'home',
    guards: [requires('connectors.read')],
    title: msg('Connectors'),
    load: async () => (await import('./catalogue/catalogue-screen.tsx')).ProvidersScreen,
  },
  {
    path: '/connector/tools',
    layout: 'home',
    guards: [requires('connectors.read')],
    title: msg('Tools'),
    load: async () => (await import('./catalogue/catalogue-screen.tsx')).ToolsScreen,
  },
];
