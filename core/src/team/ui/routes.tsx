import { msg } from '../../platform/model/message.ts';
import { insideOrganization, requires, requiresToken } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/settings/team',
    layout: 'home',
    guards: [insideOrganization, requires('team.manage')],
    title: msg('Team'),
    load: async () => (await import('./team-screen.tsx')).TeamScreen,
  },
  {
    path: '/accept-invite',
    layout: 'guest',
    // whoever is signed in here is another person than the invited one, and has to sign out first
    guards: [requiresToken, { name: 'knowsSession', check: async ({ session }) => void (await session.restore()) }],
    title: msg('Accept an invitation'),
    load: async () => (await import('./accept-invite-screen.tsx')).AcceptInviteScreen,
  },
];
