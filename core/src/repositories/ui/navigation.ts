import { GitRepo } from '@blueprintjs/icons';
import { REPOSITORY_EVENTS } from '../../platform/ui/data/live-events.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: 'Repositories',
    icon: GitRepo,
    path: '/Repositories',
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
