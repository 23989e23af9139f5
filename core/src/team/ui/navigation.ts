import { People } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  { label: msg('Team'), icon: People, path: '/settings/team', group: 'organization', permission: 'team.manage' },
];
