import { Calendar, Cloud, GitBranch, Shield } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import { FINDINGS_EVENTS, SAVED_VIEW_CHANGED } from '../../platform/ui/data/live-events.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

const scopeParameters = { repository: 'repository', tag: 'repository_tag', isJoined: true };

export const navigation: NavigationEntry[] = [
  {
    label: msg('Findings'),
    icon: Shield,
    path: '/findings',
    alsoScoped: ['/findings/all'],
    scopeParameters,
    group: 'work',
    permission: 'findings.read',
    count: {
      // the number comes after the page
      load: async (api, signal, scope) =>
        (await import('./data/finding-queries.ts')).countOpenFindings(api, signal, scope),
      refreshOn: FINDINGS_EVENTS.map(({ type }) => type),
    },
    links: {
      load: async (api, signal) => (await import('./views/starred-views.ts')).starredViews(api, signal),
      refreshOn: [SAVED_VIEW_CHANGED.type],
    },
  },
  {
    label: msg('Supply chain'),
    icon: GitBranch,
    path: '/scm',
    scopeParameters,
    group: 'work',
    permission: 'findings.read',
  },
  { label: msg('Cloud'), icon: Cloud, path: '/cloud', scopeParameters, group: 'work', permission: 'findings.read' },
  {
    label: msg('Due dates'),
    icon: Calendar,
    path: '/settings/due-dates',
    group: 'organization',
    permission: 'settings.read',
  },
];
