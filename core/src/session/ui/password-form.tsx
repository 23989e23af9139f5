import { Button } from '@blueprintjs/core';
import { Circle, EyeOff, EyeOpen, Tick } from '@blueprintjs/icons';
import { useState } from 'react';
import { type FieldControl, FormField, type FormIssue } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { passwordFieldIssues, passwordIssues } from '../model/password-policy.ts';
import type { SubmitForm } from './use-submit.ts';

interface PasswordInputProps {
  control: FieldControl;
  autoComplete: 'current-password' | 'new-password';
  value: string;
  onChange: (value: string) => void;
}

/** A password that its writer can look at. */
export function PasswordInput({ control, autoComplete, value, onChange }: PasswordInputProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="password">
      <input
        {...control}
        type={isShown ? 'text' : 'password'}
        autoComplete={autoComplete}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <Button
        variant="minimal"
        size="small"
        icon={isShown ? <EyeOff aria-hidden={true} /> : <EyeOpen aria-hidden={true} />}
        aria-label={isShown ? t('Hide password') : t('Show password')}
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
      />
    </div>
  );
}

interface SubmitButtonProps {
  text: string;
  form: Pick<SubmitForm<never>, 'isSubmitting' | 'waitSeconds'>;
}

/** The one filled button of a form; counts down while the server asks for a pause. */
export function SubmitButton({ text, form }: SubmitButtonProps) {
  const { isSubmitting, waitSeconds } = form;
  return (
    <Button
      className="form-act"
      type="submit"
      intent="primary"
      fill={true}
      disabled={waitSeconds > 0}
      loading={isSubmitting}
      text={waitSeconds > 0 ? t('Try again in {waitSeconds} s', { waitSeconds }) : text}
    />
  );
}

/** The first issue of each of the two fields of a new password. */
export const newPasswordIssues = (password: string, confirmation: string): FormIssue[] => {
  const issues: FormIssue[] = [];
  for (const { loc, msg } of passwordFieldIssues(password, confirmation)) {
    const fieldId = String(loc.at(-1));
    if (!issues.some((issue) => issue.fieldId === fieldId)) issues.push({ fieldId, message: msg });
  }
  return issues;
};

interface NewPasswordFieldsProps {
  values: { password: string; confirm_password: string };
  errorOf: (fieldId: string) => string | undefined;
  onChange: (name: 'password' | 'confirm_password', value: string) => void;
}

/** A new password, with its rules while it is typed, and the same again. */
export function NewPasswordFields({ values, errorOf, onChange }: NewPasswordFieldsProps) {
  return (
    <>
      <FormField
        id="password"
        label={t('Password')}
        error={errorOf('password')}
        help={<PasswordHints password={values.password} />}
      >
        {(control) => (
          <PasswordInput
            control={control}
            autoComplete="new-password"
            value={values.password}
            onChange={(password) => onChange('password', password)}
          />
        )}
      </FormField>
      <FormField id="confirm_password" label={t('Repeat password')} error={errorOf('confirm_password')}>
        {(control) => (
          <PasswordInput
            control={control}
            autoComplete="new-password"
            value={values.confirm_password}
            onChange={(confirmation) => onChange('confirm_password', confirmation)}
          />
        )}
      </FormField>
    </>
  );
}

/** The rules, as the issues of a password that meets none. */
const RULES = passwordIssues('');

interface PasswordHintsProps {
  password: string;
}

/** Which rules a new password meets, while it is typed. */
function PasswordHints({ password }: PasswordHintsProps) {
  const issues = passwordIssues(password);
  const others = issues.filter((issue) => !RULES.includes(issue));
  return (
    <ul className="hints" aria-label={t('Rules for the password')}>
      {[...RULES, ...others].map((rule) => {
        const isMet = !issues.includes(rule);
        return (
          <li key={rule} className={isMet ? 'is-met' : undefined}>
            {isMet ? <Tick size={12} aria-hidden={true} /> : <Circle size={12} aria-hidden={true} />}
            {t(rule)}
            <span className="sr">{isMet ? t('Met') : t('Not met yet')}</span>
          </li>
        );
      })}
    </ul>
  );
}
