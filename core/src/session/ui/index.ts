export { NewPasswordFields, newPasswordIssues, PasswordInput, SubmitButton } from './password-form.tsx';
export { PlexalyzerTokens } from './plexalyzer-tokens.tsx';
export { SESSION_STORE } from './session.store.ts';
export { useSubmit } from './use-submit.ts';
