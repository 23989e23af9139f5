import { Button } from '@blueprintjs/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FormSummary } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { SubmitButton } from '../password-form.tsx';
import { useSubmit } from '../use-submit.ts';
import { CodeField, codeIssues, fieldOf } from './code-field.tsx';
import './two-factor.css';

export interface CodeFormProps {
  /** A recovery code is asked for, else one of the authenticator. */
  isRecovery: boolean;
  className?: string;
  /** Heading and what the code is for. */
  children: ReactNode;
  action: string;
  cancel: string;
  send: (code: string, signal: AbortSignal) => Promise<void>;
  onDone: () => void;
  onSwitch: () => void;
  onCancel: () => void;
}

/** Asks for a code of the second factor, with the way to the other kind. Give it a key by kind: fields and errors are not shared. */
export function CodeForm({ isRecovery, className, children, action, cancel, send, ...on }: CodeFormProps) {
  const [code, setCode] = useState('');
  const form = useSubmit(send, on.onDone);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.submit(code.trim(), codeIssues(isRecovery, code));
  };
  return (
    <form className={className} onSubmit={handleSubmit} noValidate={true}>
      {children}
      <FormSummary issues={form.issues} />
      <CodeField
        isRecovery={isRecovery}
        value={code}
        error={form.errorOf(fieldOf(isRecovery))}
        onChange={(value) => {
          setCode(value);
          form.edit(fieldOf(isRecovery));
        }}
      />
      <SubmitButton text={action} form={form} />
      <div className="second-ways">
        <Button
          variant="minimal"
          size="small"
          text={isRecovery ? t('Use the authenticator') : t('Use a recovery code')}
          onClick={on.onSwitch}
        />
        <Button variant="minimal" size="small" text={cancel} onClick={on.onCancel} />
      </div>
    </form>
  );
}
