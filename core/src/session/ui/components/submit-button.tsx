import { Button } from '@blueprintjs/core';
import type { SubmitForm } from '../use-submit.ts';

export interface SubmitButtonProps {
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
