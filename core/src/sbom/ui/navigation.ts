import { Endorsed, Layers } from '@blueprintjs/icons';
import { CLIENT_ROLES } from '../../platform/model/roles.ts';
import { INVENTORY_EVENTS } from '../../platform/ui/import-events.ts';
import type { NavigationEntry } from '../../shell/ui/navigation-entry.ts';
import { countComponents } from './index.ts';

export const navigation: NavigationEntry[] = [
  {
    label: 'SBOM',
    icon: Layers,
    path: '/sbom-findings',
    group: 'work',
    roles: CLIENT_ROLES,
    count: {
      load: (api, signal) => countComponents(api, undefined, signal),
      refreshOn: INVENTORY_EVENTS.map(({ type }) => type),
    },
  },
  {
    label: 'Licence policy',
    icon: Endorsed,
    path: '/settings/license-policy',
    group: 'organization',
    roles: ['admin', 'cyberoper'],
  },
];
