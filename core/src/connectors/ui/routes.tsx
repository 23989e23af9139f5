import { authenticated, notDeveloper, requiresQuery } from '../../shell/ui/guards.ts';
import type { RouteEntry } from '../../shell/ui/route-entry.ts';

/** Source of the text: specification §8 "source_control query missing". */
export const NO_PROVIDER = 'Source control not found. Check your setting on connector page';

export const routes: RouteEntry[] = [
  {
    path: '/connector',
    layout: 'home',
    // The query before the session: the server answers 403 without knowing who asks, and the page has to say the same.
    guards: [requiresQuery('source_control', 403, NO_PROVIDER), authenticated, notDeveloper],
    title: 'Source control',
    load: async () => (await import('./screens/provider-screen.tsx')).ProviderScreen,
  },
  {
    path: '/connector/providers',
    layout: 'home',
    guards: [notDeveloper],
    title: 'Connectors',
    load: async () => (await import('./screens/catalogue-screen.tsx')).ProvidersScreen,
  },
  {
    path: '/connector/tools',
    layout: 'home',
    guards: [notDeveloper],
    title: 'Tools',
    load: async () => (await import('./screens/catalogue-screen.tsx')).ToolsScreen,
  },
];
