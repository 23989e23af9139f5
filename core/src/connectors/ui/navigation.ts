import { DataConnection } from '@blueprintjs/icons';
import type { NavigationEntry } from '../../shell/ui/navigation-entry.ts';

export const navigation: NavigationEntry[] = [
  {
    label: 'Connectors',
    icon: DataConnection,
    path: '/connector/providers',
    group: 'organization',
    permission: 'connectors.read',
  },
];
