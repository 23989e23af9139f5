import { Calendar, Cloud, GitBranch, Shield } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import { FINDINGS_EVENTS } from '../../platform/ui/data/live-events.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: msg('Findings'),
    icon: Shield,
    path: '/findings',
    group: 'work',
    permission: 'findings.read',
    count: {
      // the number comes after the page
      load: async (api, signal) => (await import('./data/finding-queries.ts')).countOpenFindings(api, signal),
      refreshOn: FINDINGS_EVENTS.map(({ type }) => type),
    },
    links: async (api, signal) => (await import('./views/starred-views.ts')).starredViews(api, signal),
  },
  { label: msg('Supply chain'), icon: GitBranch, path: '/scm', group: 'work', permission: 'findings.read' },
  { label: msg('Cloud'), icon: Cloud, path: '/cloud', group: 'work', permission: 'findings.read' },
  {
    label: msg('Due dates'),
    icon: Calendar,
    path: '/settings/due-dates',
    group: 'organization',
    permission: 'settings.read',
  },
];
