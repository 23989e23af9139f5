import { Button } from '@blueprintjs/core';
import { EyeOff, EyeOpen } from '@blueprintjs/icons';
import { useState } from 'react';
import type { FieldControl } from '../../platform/ui/forms/form-field.tsx';
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
        aria-label={isShown ? 'Hide password' : 'Show password'}
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
      text={waitSeconds > 0 ? `Try again in ${waitSeconds} s` : text}
    />
  );
}
