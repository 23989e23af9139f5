import { Calendar, Cloud, GitBranch, Shield } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import { FINDINGS_EVENTS, SAVED_VIEW_CHANGED } from '../../platform/ui/data/live-events.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';
import { FINDINGS_SCOPE } from '../../shell/ui/navigation/scope.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: msg('Findings'),
    icon: Shield,
    path: '/findings',
    alsoScoped: ['/findings/all'],
    scopeParameters: FINDINGS_SCOPE,
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
    scopeParameters: FINDINGS_SCOPE,
    group: 'work',
    permission: 'findings.read',
  },
  {
    label: msg('Cloud'),
    icon: Cloud,
    path: '/cloud',
    scopeParameters: FINDINGS_SCOPE,
    group: 'work',
    permission: 'findings.read',
  },
  {
    label: msg('Due dates'),
    icon: Calendar,
    path: '/settings/due-dates',
    group: 'organization',
    permission: 'settings.read',
  },
];
