import { msg } from '../../platform/model/message.ts';
import { insideOrganization, requires, signedOutOnly } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/login/single-sign-on',
    layout: 'guest',
    guards: [signedOutOnly],
    title: msg('Single sign-on'),
    load: async () => (await import('./begin-screen.tsx')).BeginScreen,
  },
  {
    path: '/login/single-sign-on/:client',
    // a test sign-in ends here too, while its admin is signed in
    layout: 'guest',
    title: msg('Single sign-on'),
    load: async () => (await import('./finish-screen.tsx')).FinishScreen,
  },
  {
    path: '/settings/single-sign-on',
    layout: 'home',
    guards: [insideOrganization, requires('team.manage')],
    title: msg('Single sign-on'),
    load: async () => (await import('./settings-screen.tsx')).SettingsScreen,
  },
];
