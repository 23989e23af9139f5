export { NewPasswordFields, newPasswordIssues, PasswordInput, SubmitButton } from './password-form.tsx';
export { PersonAvatar } from './person-avatar.tsx';
export { ApiTokens } from './plexalyzer-tokens.tsx';
export { SESSION_STORE } from './session.store.ts';
export { readTwoFactor } from './two-factor/read-two-factor.ts';
export { type SignInOptionsState, useSignInOptions } from './use-sign-in-options.ts';
export { useSubmit } from './use-submit.ts';

/** Of one card only: the pages of the others come without it. */
export const loadPlexalyzerTokens = async () => (await import('./plexalyzer-tokens.tsx')).PlexalyzerTokens;

/** The accounts slice shows its own parts below it. */
export const loadProfileScreen = async () => (await import('./profile/profile-screen.tsx')).ProfileScreen;
