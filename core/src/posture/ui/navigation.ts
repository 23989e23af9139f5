import { Dashboard } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';
import { FINDINGS_SCOPE } from '../../shell/ui/navigation/scope.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: msg('Dashboard'),
    icon: Dashboard,
    path: '/',
    scopeParameters: FINDINGS_SCOPE,
    group: 'work',
    permission: 'findings.read',
  },
];
