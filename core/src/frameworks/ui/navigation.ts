import { TickCircle } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  { label: msg('Frameworks'), icon: TickCircle, path: '/frameworks', group: 'work', permission: 'findings.read' },
];
