import { msg } from '../../platform/model/message.ts';
import { requires, setupNeeded, signedOutOnly } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/login',
    layout: 'guest',
    guards: [signedOutOnly],
    title: msg('Sign in'),
    load: async () => (await import('./sign-in-screen.tsx')).SignInScreen,
  },
  {
    path: '/settings/sessions',
    layout: 'home',
    title: msg('Sessions'),
    load: async () => (await import('./sessions-screen.tsx')).SessionsScreen,
  },
  {
    path: '/settings/setup-2fa',
    layout: 'home',
    title: msg('Two-factor'),
    load: async () => (await import('./two-factor/two-factor-screen.tsx')).TwoFactorScreen,
  },
  {
    path: '/settings/tokens',
    layout: 'home',
    guards: [requires('tokens.own')],
    title: msg('Personal tokens'),
    load: async () => (await import('./personal-tokens-screen.tsx')).PersonalTokensScreen,
  },
  {
    path: '/setup',
    layout: 'guest',
    guards: [setupNeeded],
    title: msg('Set up'),
    load: async () => (await import('./setup-screen.tsx')).SetupScreen,
  },
];
