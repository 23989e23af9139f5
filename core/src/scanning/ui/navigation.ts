import { DataSearch } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: msg('Scanners'),
    icon: DataSearch,
    path: '/connector/scanners',
    group: 'organization',
    permission: 'scans.read',
  },
];
