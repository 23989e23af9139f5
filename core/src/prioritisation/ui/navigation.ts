import { Database, TimelineBarChart } from '@blueprintjs/icons';
import type { NavigationEntry } from '../../shell/ui/navigation-entry.ts';

export const navigation: NavigationEntry[] = [
  {
    label: 'Prioritisation',
    icon: TimelineBarChart,
    path: '/settings/prioritisation',
    group: 'organization',
    roles: ['admin', 'cyberoper'],
  },
  {
    label: 'Reference data',
    icon: Database,
    path: '/settings/reference-data',
    group: 'organization',
    roles: ['superadmin', 'admin'],
  },
];
