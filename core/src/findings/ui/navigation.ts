import { Calendar, Cloud, GitBranch, Shield } from '@blueprintjs/icons';
import { CLIENT_ROLES } from '../../platform/model/roles.ts';
import { FINDINGS_EVENTS } from '../../platform/ui/import-events.ts';
import type { NavigationEntry } from '../../shell/ui/navigation-entry.ts';
import { countOpenFindings } from './data/finding-queries.ts';

export const navigation: NavigationEntry[] = [
  {
    label: 'Findings',
    icon: Shield,
    path: '/findings',
    group: 'work',
    roles: CLIENT_ROLES,
    count: { load: countOpenFindings, refreshOn: FINDINGS_EVENTS.map(({ type }) => type) },
  },
  { label: 'Source control', icon: GitBranch, path: '/scm', group: 'work', roles: CLIENT_ROLES },
  { label: 'Cloud', icon: Cloud, path: '/cloud', group: 'work', roles: CLIENT_ROLES },
  {
    label: 'Due dates',
    icon: Calendar,
    path: '/settings/due-dates',
    group: 'organization',
    roles: ['admin', 'cyberoper'],
  },
];
