import { msg } from '../../platform/model/message.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/notifications',
    layout: 'home',
    title: msg('Notifications'),
    load: async () => (await import('./notifications-screen.tsx')).NotificationsScreen,
  },
  {
    path: '/settings/notifications',
    layout: 'home',
    title: msg('Notification preferences'),
    load: async () => (await import('./preferences-screen.tsx')).PreferencesScreen,
  },
];
