import { authenticated, requires, requiresQuery } from '../../shell/ui/guards.ts';
import type { RouteEntry } from '../../shell/ui/route-entry.ts';
import { NO_PROVIDER } from './no-provider.ts';

export const routes: RouteEntry[] = [
  {
    path: '/connector',
    layout: 'home',
    // The query before the session: the server answers 403 without knowing who asks, and the page has to say the same.
    guards: [requiresQuery('source_control', 403, NO_PROVIDER), authenticated, requires('connectors.read')],
    title: 'Source control',
    load: async () => (await import('./screens/provider-screen.tsx')).ProviderScreen,
  },
  {
    path: '/connector/providers',
    layout: 'home',
    guards: [requires('connectors.read')],
    title: 'Connectors',
    load: async () => (await import('./screens/catalogue-screen.tsx')).ProvidersScreen,
  },
  {
    path: '/connector/tools',
    layout: 'home',
    guards: [requires('connectors.read')],
    title: 'Tools',
    load: async () => (await import('./screens/catalogue-screen.tsx')).ToolsScreen,
  },
];
