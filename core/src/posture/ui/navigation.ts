import { Dashboard } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  { label: msg('Dashboard'), icon: Dashboard, path: '/', group: 'work', permission: 'findings.read' },
];
