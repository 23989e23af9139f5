import { msg } from '../../platform/model/message.ts';
import { insideOrganization, requires } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';
import { MANAGED_CLIENTS } from './managed-links.ts';

const page = { layout: 'home', guards: [requires('clients.manage')] } as const;

/** What an organisation asks of a sign-in, its models, and the superadmin's area. Source: specification §2. */
export const routes: RouteEntry[] = [
  {
    path: '/settings/ai',
    layout: 'home',
    guards: [insideOrganization, requires('connectors.read')],
    title: msg('AI'),
    load: async () => (await import('./ai/ai-screen.tsx')).AiScreen,
  },
  {
    path: '/settings/scans',
    layout: 'home',
    guards: [insideOrganization, requires('settings.read')],
    title: msg('Scans'),
    load: async () => (await import('./scans/scan-settings-screen.tsx')).ScanSettingsScreen,
  },
  {
    path: '/settings/security',
    layout: 'home',
    guards: [insideOrganization, requires('settings.write')],
    title: msg('Security'),
    load: async () => (await import('./security/security-screen.tsx')).SecurityScreen,
  },
  {
    path: '/Organization',
    layout: 'home',
    guards: [insideOrganization, requires('settings.read')],
    title: msg('Organisation'),
    load: async () => (await import('./organization/organization-screen.tsx')).OrganizationScreen,
  },
  {
    path: '/organization-deleted',
    layout: 'guest',
    title: msg('Organisation deleted'),
    load: async () => (await import('./organization/organization-deleted-screen.tsx')).OrganizationDeletedScreen,
  },
  {
    path: '/terms-conditions',
    layout: 'home',
    title: msg('Terms and conditions'),
    load: async () => (await import('./terms/terms-screen.tsx')).TermsScreen,
  },
  {
    ...page,
    path: MANAGED_CLIENTS,
    title: msg('Clients'),
    load: async () => (await import('./manage-clients-screen.tsx')).ManageClientsScreen,
  },
  {
    ...page,
    // the list and a finding beside it share the page, though neither address lies below the other
    path: `${MANAGED_CLIENTS}/findings`,
    title: msg('Findings of a client'),
    load: async () => (await import('./managed-screens.tsx')).ManagedFindingsScreen,
    children: [
      { path: ':clientId' },
      {
        path: 'finding-details/:clientId/:id',
        title: msg('Finding of a client'),
        load: async () => (await import('../../findings/ui/index.ts')).loadFindingPanel(),
      },
    ],
  },
  {
    ...page,
    path: `${MANAGED_CLIENTS}/overview/:clientId`,
    title: msg('Client'),
    load: async () => (await import('./managed-screens.tsx')).ManagedOverviewScreen,
  },
  {
    ...page,
    path: `${MANAGED_CLIENTS}/charts/:clientId`,
    title: msg('Charts of a client'),
    load: async () => (await import('./managed-screens.tsx')).ManagedChartsScreen,
  },
  {
    ...page,
    path: `${MANAGED_CLIENTS}/frameworks/:clientId`,
    title: msg('Frameworks of a client'),
    load: async () => (await import('./managed-screens.tsx')).ManagedFrameworksScreen,
  },
  {
    ...page,
    path: `${MANAGED_CLIENTS}/frameworks/:clientId/:id`,
    title: msg('Framework of a client'),
    load: async () => (await import('./managed-screens.tsx')).ManagedFrameworksScreen,
  },
  {
    ...page,
    path: `${MANAGED_CLIENTS}/repositories/:clientId`,
    title: msg('Repositories of a client'),
    load: async () => (await import('./managed-screens.tsx')).ManagedRepositoriesScreen,
  },
  {
    ...page,
    path: `${MANAGED_CLIENTS}/audit/:clientId`,
    title: msg('Audit log of a client'),
    load: async () => (await import('./managed-screens.tsx')).ManagedAuditScreen,
  },
];
