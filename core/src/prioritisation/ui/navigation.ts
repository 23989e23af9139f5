import { Database, TimelineBarChart } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: msg('Prioritisation'),
    icon: TimelineBarChart,
    path: '/settings/prioritisation',
    group: 'organization',
    permission: 'settings.read',
  },
  {
    label: msg('Reference data'),
    icon: Database,
    path: '/settings/reference-data',
    group: 'organization',
    permission: 'platform.read',
  },
];
