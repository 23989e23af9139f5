import { notDeveloper, notSuperadmin } from '../../shell/ui/guards.ts';
import type { ChildEntry, RouteEntry } from '../../shell/ui/route-entry.ts';

const panel: ChildEntry = {
  path: 'finding-details/:id',
  title: 'Finding',
  load: async () => (await import('./screens/finding-panel.tsx')).FindingPanel,
};

/** The list, and a finding beside it. */
export const routes: RouteEntry[] = [
  {
    path: '/findings',
    layout: 'home',
    guards: [notSuperadmin],
    title: 'Findings',
    load: async () => (await import('./screens/findings-screen.tsx')).FindingsScreen,
    children: [panel],
  },
  {
    path: '/scm',
    layout: 'home',
    guards: [notSuperadmin],
    title: 'Source control',
    load: async () => (await import('./screens/findings-screen.tsx')).ScmScreen,
    children: [panel],
  },
  {
    path: '/cloud',
    layout: 'home',
    guards: [notSuperadmin],
    title: 'Cloud',
    load: async () => (await import('./screens/findings-screen.tsx')).CloudScreen,
    children: [panel],
  },
  {
    path: '/findings/all',
    layout: 'home',
    guards: [notSuperadmin],
    title: 'All findings',
    load: async () => (await import('./screens/findings-screen.tsx')).AllFindingsScreen,
    children: [panel],
  },
  {
    path: '/settings/due-dates',
    layout: 'home',
    guards: [notSuperadmin, notDeveloper],
    title: 'Due dates',
    load: async () => (await import('./screens/sla-screen.tsx')).SlaScreen,
  },
];
