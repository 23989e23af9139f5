import { People } from '@blueprintjs/icons';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  { label: 'Team', icon: People, path: '/settings/team', group: 'organization', permission: 'team.manage' },
];
