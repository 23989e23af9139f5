export { NewPasswordFields, newPasswordIssues, PasswordInput, SubmitButton } from './password-form.tsx';
export { PersonAvatar } from './person-avatar.tsx';
export { ApiTokens, PlexalyzerTokens } from './plexalyzer-tokens.tsx';
export { SESSION_STORE } from './session.store.ts';
export { readTwoFactor } from './two-factor/read-two-factor.ts';
export { type SignInOptionsState, useSignInOptions } from './use-sign-in-options.ts';
export { useSubmit } from './use-submit.ts';
