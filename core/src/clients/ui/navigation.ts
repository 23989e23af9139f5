import { Office } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';
import { MANAGED_CLIENTS } from './managed-links.ts';

export const navigation: NavigationEntry[] = [
  { label: msg('Clients'), icon: Office, path: MANAGED_CLIENTS, group: 'work', permission: 'clients.manage' },
];
