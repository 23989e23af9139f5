import { setupNeeded, signedOutOnly } from '../../shell/ui/guards.ts';
import type { RouteEntry } from '../../shell/ui/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/login',
    layout: 'guest',
    guards: [signedOutOnly],
    title: 'Sign in',
    load: async () => (await import('./screens/sign-in-screen.tsx')).SignInScreen,
  },
  {
    path: '/register',
    layout: 'guest',
    guards: [signedOutOnly],
    title: 'Create an account',
    load: async () => (await import('./screens/register-screen.tsx')).RegisterScreen,
  },
  {
    path: '/forgot-password',
    layout: 'guest',
    guards: [signedOutOnly],
    title: 'Forgot password',
    load: async () => (await import('./screens/forgot-password-screen.tsx')).ForgotPasswordScreen,
  },
  {
    path: '/setup',
    layout: 'guest',
    guards: [setupNeeded],
    title: 'Set up',
    load: async () => (await import('./screens/setup-screen.tsx')).SetupScreen,
  },
];
