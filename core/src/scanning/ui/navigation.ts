import { DataSearch } from '@blueprintjs/icons';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: 'Scanners',
    icon: DataSearch,
    path: '/connector/scanners',
    group: 'organization',
    permission: 'scans.read',
  },
];
