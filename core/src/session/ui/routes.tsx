import { setupNeeded, signedOutOnly } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/login',
    layout: 'guest',
    guards: [signedOutOnly],
    title: 'Sign in',
    load: async () => (await import('./sign-in-screen.tsx')).SignInScreen,
  },
  {
    path: '/setup',
    layout: 'guest',
    guards: [setupNeeded],
    title: 'Set up',
    load: async () => (await import('./setup-screen.tsx')).SetupScreen,
  },
];
