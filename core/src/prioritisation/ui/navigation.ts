import { Database, TimelineBarChart } from '@blueprintjs/icons';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: 'Prioritisation',
    icon: TimelineBarChart,
    path: '/settings/prioritisation',
    group: 'organization',
    permission: 'settings.read',
  },
  {
    label: 'Reference data',
    icon: Database,
    path: '/settings/reference-data',
    group: 'organization',
    permission: 'platform.read',
  },
];
