import { Dashboard } from '@blueprintjs/icons';
import { CLIENT_ROLES } from '../../platform/model/roles.ts';
import type { NavigationEntry } from '../../shell/ui/navigation-entry.ts';

export const navigation: NavigationEntry[] = [
  { label: 'Dashboard', icon: Dashboard, path: '/', group: 'work', roles: CLIENT_ROLES },
];
