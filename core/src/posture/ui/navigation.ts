import { Dashboard } from '@blueprintjs/icons';
import type { NavigationEntry } from '../../shell/ui/navigation-entry.ts';

export const navigation: NavigationEntry[] = [
  { label: 'Dashboard', icon: Dashboard, path: '/', group: 'work', permission: 'findings.read' },
];
