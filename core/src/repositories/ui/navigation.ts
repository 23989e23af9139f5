import { GitRepo } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import { REPOSITORY_EVENTS } from '../../platform/ui/data/live-events.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: msg('Repositories'),
    icon: GitRepo,
    path: '/Repositories',
    scopeParameters: { tag: 'tag' },
    alsoAt: ['/manage-repositories'],
    group: 'work',
    permission: 'repositories.read',
    count: {
      // the number comes after the page
      load: async (api, signal) => (await import('./index.ts')).countRepositories(api, signal),
      refreshOn: REPOSITORY_EVENTS.map(({ type }) => type),
    },
  },
];
