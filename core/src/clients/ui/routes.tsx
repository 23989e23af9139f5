import { requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';
import { MANAGED_CLIENTS } from './managed-links.ts';

const page = { layout: 'home', guards: [requires('clients.manage')] } as const;

/** The superadmin's area. Source: specification §2. */
export const routes: RouteEntry[] = [
  {
    ...page,
    path: MANAGED_CLIENTS,
    title: 'Clients',
    load: async () => (await import('./manage-clients-screen.tsx')).ManageClientsScreen,
  },
  {
    ...page,
    // the list and a finding beside it share the page, though neither address lies below the other
    path: `${MANAGED_CLIENTS}/findings`,
    title: 'Findings of a client',
    load: async () => (await import('./managed-screens.tsx')).ManagedFindingsScreen,
    children: [
      { path: ':clientId' },
      {
        path: 'finding-details/:clientId/:id',
        title: 'Finding of a client',
        load: async () => (await import('../../findings/ui/index.ts')).loadFindingPanel(),
      },
    ],
  },
  {
    ...page,
    path: `${MANAGED_CLIENTS}/repositories/:clientId`,
    title: 'Repositories of a client',
    load: async () => (await import('./managed-screens.tsx')).ManagedRepositoriesScreen,
  },
];
