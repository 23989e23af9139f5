import { msg } from '../../platform/model/message.ts';
import { insideOrganization, requires, requiresToken, signedOutOnly } from '../../shell/ui/routing/guards.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';

export const routes: readonly RouteEntry[] = [
  {
    path: '/register',
    layout: 'guest',
    guards: [signedOutOnly],
    title: msg('Create an account'),
    load: async () => (await import('./register-screens.tsx')).RegisterScreen,
  },
  {
    path: '/verify-register/:id',
    layout: 'guest',
    title: msg('Verify your registration'),
    load: async () => (await import('./register-screens.tsx')).VerifyRegisterScreen,
  },
  {
    path: '/forgot-password',
    layout: 'guest',
    guards: [signedOutOnly],
    title: msg('Forgot password'),
    load: async () => (await import('./password-screens.tsx')).ForgotPasswordScreen,
  },
  {
    path: '/reset-password',
    layout: 'guest',
    guards: [requiresToken],
    title: msg('Choose a new password'),
    load: async () => (await import('./password-screens.tsx')).ResetPasswordScreen,
  },
  {
    path: '/change-password',
    layout: 'home',
    title: msg('Password'),
    load: async () => (await import('./password-screens.tsx')).ChangePasswordScreen,
  },
  {
    path: '/settings/profile',
    layout: 'home',
    title: msg('Profile'),
    load: async () => (await import('./profile-page.tsx')).loadProfilePage(),
  },
  {
    path: '/account-deleted',
    layout: 'guest',
    title: msg('Account deleted'),
    load: async () => (await import('./account-deleted-screen.tsx')).AccountDeletedScreen,
  },
  {
    path: '/mail',
    layout: 'home',
    guards: [insideOrganization, requires('mail.read')],
    title: msg('Mail'),
    load: async () => (await import('./mail-screen.tsx')).MailScreen,
  },
];
