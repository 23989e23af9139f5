import { GitRepo } from '@blueprintjs/icons';
import { REPOSITORY_EVENTS } from '../../platform/ui/data/live-events.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';
import { countRepositories } from './index.ts';

export const navigation: NavigationEntry[] = [
  {
    label: 'Repositories',
    icon: GitRepo,
    path: '/Repositories',
    alsoAt: ['/manage-repositories'],
    group: 'work',
    permission: 'repositories.read',
    count: { load: countRepositories, refreshOn: REPOSITORY_EVENTS.map(({ type }) => type) },
  },
];
