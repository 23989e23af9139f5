import { Envelope } from '@blueprintjs/icons';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  { label: 'Mail', icon: Envelope, path: '/mail', group: 'organization', permission: 'mail.read' },
];
