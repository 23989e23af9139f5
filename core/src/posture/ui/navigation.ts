import { Dashboard } from '@blueprintjs/icons';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  { label: 'Dashboard', icon: Dashboard, path: '/', group: 'work', permission: 'findings.read' },
];
