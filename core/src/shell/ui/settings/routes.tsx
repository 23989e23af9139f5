import { Cog } from '@blueprintjs/icons';
import { msg } from '../../../platform/model/message.ts';
import type { NavigationEntry } from '../navigation/navigation.store.ts';
import type { RouteEntry } from '../routing/route-entry.ts';

export const navigation: readonly NavigationEntry[] = [
  {
    label: msg('Settings'),
    icon: Cog,
    path: '/settings',
    isExact: true,
    // pages of settings that are no items of their own
    alsoAt: [
      '/Organization', // no text: an address
      '/change-password',
      '/settings/ai',
      '/settings/audit',
      '/settings/notifications',
      '/settings/profile',
      '/settings/scans',
      '/settings/security',
      '/settings/sessions',
      '/settings/setup-2fa',
      '/settings/single-sign-on',
      '/settings/tokens',
      '/terms-conditions',
    ],
    group: 'organization',
  },
];

export const routes: readonly RouteEntry[] = [
  {
    path: '/settings',
    layout: 'home',
    title: msg('Settings'),
    load: async () => {
      const [{ SettingsScreen }, { settingsPages }] = await Promise.all([
        import('./settings-screen.tsx'),
        import('./all-pages.ts'),
      ]);
      return () => <SettingsScreen pages={settingsPages} />;
    },
  },
  {
    path: '/help',
    layout: 'home',
    title: msg('Help'),
    load: async () => (await import('../help/help-screen.tsx')).HelpScreen,
  },
];
