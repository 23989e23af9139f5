import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';

interface CodeFieldProps {
  isRecovery: boolean;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** Names of the field in the body, as the server reports its errors. */
export const fieldOf = (isRecovery: boolean) => (isRecovery ? 'recovery_code' : 'otp_code');

export const codeIssues = (isRecovery: boolean, code: string) => {
  if (isRecovery ? code.trim() !== '' : /^\s*(?:\d\s*){6}$/.test(code)) return [];
  const message = isRecovery
    ? t('Enter one of your recovery codes.')
    : t('Enter the six digits that your authenticator shows.');
  return [{ fieldId: fieldOf(isRecovery), message }];
};

/** A code of the authenticator, or a recovery code. Phones offer what a password manager keeps. */
export function CodeField({ isRecovery, value, error, onChange }: CodeFieldProps) {
  return (
    <FormField id={fieldOf(isRecovery)} label={isRecovery ? t('Recovery code') : t('Code')} error={error}>
      {(control) => (
        <input
          {...control}
          className={`${control.className} otp-code`}
          type="text"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          // the page asks for nothing else
          // biome-ignore lint/a11y/noAutofocus: see above
          autoFocus={true}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FormField>
  );
}
