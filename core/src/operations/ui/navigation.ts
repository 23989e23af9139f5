import { Pulse } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: msg('Health'),
    icon: Pulse,
    path: '/platform/health',
    alsoAt: ['/platform/access-log'],
    group: 'work',
    permission: 'platform.operate',
  },
];
