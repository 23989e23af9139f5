import { Envelope } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';

export const navigation: NavigationEntry[] = [
  { label: msg('Mail'), icon: Envelope, path: '/mail', group: 'organization', permission: 'mail.read' },
];
