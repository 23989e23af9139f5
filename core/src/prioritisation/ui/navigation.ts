import { Database } from '@blueprintjs/icons';
import type { NavigationEntry } from '../../shell/ui/navigation-entry.ts';

export const navigation: NavigationEntry[] = [
  {
    label: 'Reference data',
    icon: Database,
    path: '/settings/reference-data',
    group: 'organization',
    roles: ['superadmin', 'admin'],
  },
];
