import { msg } from '../../platform/model/message.ts';
import { insideOrganization, requires } from '../../shell/ui/routing/guards.ts';
import type { ChildEntry, PageEntry, RouteEntry } from '../../shell/ui/routing/route-entry.ts';
import type { ViewBase } from './data/finding-view.ts';
import { OWN_LISTS } from './data/list-route.ts';

const panel: ChildEntry = {
  path: 'finding-details/:id',
  title: msg('Finding'),
  load: async () => (await import('./detail/finding-panel.tsx')).FindingPanel,
};

const begin =
  (base: ViewBase): NonNullable<PageEntry['begin']> =>
  async (services, url) => {
    const { ListPrefetch } = await import('./list/list-prefetch.ts');
    return new ListPrefetch(services, OWN_LISTS[base], url);
  };

/** The list, and a finding beside it. */
export const routes: RouteEntry[] = [
  {
    path: '/findings',
    layout: 'home',
    guards: [insideOrganization],
    title: msg('Findings'),
    load: async () => (await import('./list/findings-screen.tsx')).FindingsScreen,
    begin: begin('open'),
    children: [panel],
  },
  {
    path: '/scm',
    layout: 'home',
    guards: [insideOrganization],
    title: msg('Supply chain'),
    load: async () => (await import('./list/findings-screen.tsx')).ScmScreen,
    begin: begin('scm'),
    children: [panel],
  },
  {
    path: '/cloud',
    layout: 'home',
    guards: [insideOrganization],
    title: msg('Cloud'),
    load: async () => (await import('./list/findings-screen.tsx')).CloudScreen,
    begin: begin('cloud'),
    children: [panel],
  },
  {
    path: '/findings/all',
    layout: 'home',
    guards: [insideOrganization],
    title: msg('All findings'),
    load: async () => (await import('./list/findings-screen.tsx')).AllFindingsScreen,
    begin: begin('all'),
    children: [panel],
  },
  {
    path: '/settings/due-dates',
    layout: 'home',
    guards: [insideOrganization, requires('settings.read')],
    title: msg('Due dates'),
    load: async () => (await import('./sla/sla-screen.tsx')).SlaScreen,
  },
];
