import { DataConnection } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: msg('Connectors'),
    icon: DataConnection,
    path: '/connector/providers',
    alsoAt: [
      '/connector',
      '/connector/tools',
      '/connector/published',
      '/connector/plugins',
      '/connector/builder',
      '/oauth/callback/:connector',
    ],
    group: 'organization',
    permission: 'connectors.read',
  },
];
