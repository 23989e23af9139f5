import { DataConnection } from '@blueprintjs/icons';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: 'Connectors',
    icon: DataConnection,
    path: '/connector/providers',
    alsoAt: ['/connector', '/connector/tools', '/oauth/callback/:connector'],
    group: 'organization',
    permission: 'connectors.read',
  },
];
