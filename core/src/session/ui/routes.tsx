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
    path: '/register',
    layout: 'guest',
    guards: [signedOutOnly],
    title: 'Create an account',
    load: async () => (await import('./account-help-screens.tsx')).RegisterScreen,
  },
  {
    path: '/forgot-password',
    layout: 'guest',
    guards: [signedOutOnly],
    title: 'Forgot password',
    load: async () => (await import('./account-help-screens.tsx')).ForgotPasswordScreen,
  },
  {
    path: '/setup',
    layout: 'guest',
    guards: [setupNeeded],
    title: 'Set up',
    load: async () => (await import('./setup-screen.tsx')).SetupScreen,
  },
];
