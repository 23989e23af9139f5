import { Endorsed, Layers } from '@blueprintjs/icons';
import { msg } from '../../platform/model/message.ts';
import { INVENTORY_EVENTS } from '../../platform/ui/data/live-events.ts';
import type { NavigationEntry } from '../../shell/ui/navigation/navigation.store.ts';
import { FINDINGS_SCOPE } from '../../shell/ui/navigation/scope.store.ts';

export const navigation: NavigationEntry[] = [
  {
    label: msg('SBOM'),
    icon: Layers,
    path: '/sbom-findings',
    scopeParameters: FINDINGS_SCOPE,
    group: 'work',
    permission: 'components.read',
    count: {
      // the number comes after the page
      load: async (api, signal, scope) =>
        (await import('./index.ts')).countComponents(api, scope && { [scope.kind]: scope.value }, signal),
      refreshOn: INVENTORY_EVENTS.map(({ type }) => type),
    },
  },
  {
    label: msg('Licence policy'),
    icon: Endorsed,
    path: '/settings/license-policy',
    group: 'organization',
    permission: 'settings.read',
  },
];
