import { Checkbox, Classes } from '@blueprintjs/core';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { ApiError } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { UNSAVED_TEXTS } from '../../platform/ui/feedback/unsaved-texts.ts';
import { FormField, type FormIssue, FormSummary } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import { login } from '../api/routes.ts';
import { PasswordInput, SubmitButton } from './password-form.tsx';
import { SESSION_STORE } from './session.store.ts';
import { useSignInOptions } from './use-sign-in-options.ts';
import { useSubmit } from './use-submit.ts';

const GoogleButton = lazy(async () => ({ default: (await import('./google-button.tsx')).GoogleButton }));

/** Page of the slice single-sign-on where the identity provider is found by the e-mail. */
export const singleSignOnPath = (next: string | null): string =>
  `/login/single-sign-on${next === null ? '' : `?next=${encodeURIComponent(next)}`}`;

interface Credentials {
  name: string;
  password: string;
  isRemembered: boolean;
}

/** The e-mail that somebody signs in with; empty where it is a username. */
const emailOf = ({ name }: Pick<Credentials, 'name'>): string => (name.includes('@') ? name.trim() : '');

/** An `@` makes it an e-mail address: usernames have none. */
const bodyOf = ({ name, password, isRemembered }: Credentials) => ({
  ...(name.includes('@') ? { email: name.trim() } : { username: name.trim() }),
  password,
  rememberMe: isRemembered,
});

const issuesOf = ({ name, password }: Credentials): FormIssue[] => [
  ...(name.trim() === '' ? [{ fieldId: 'name', message: t('Enter your email or username.') }] : []),
  ...(password === '' ? [{ fieldId: 'password', message: t('Enter your password.') }] : []),
];

interface CredentialFieldsProps {
  values: Credentials;
  errorOf: (fieldId: string) => string | undefined;
  onChange: (fieldId: 'name' | 'password', value: string) => void;
}

function CredentialFields({ values, errorOf, onChange }: CredentialFieldsProps) {
  return (
    <>
      <FormField id="name" label={t('Email or username')} error={errorOf('name')}>
        {(control) => (
          <input
            {...control}
            type="text"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={values.name}
            onChange={(event) => onChange('name', event.target.value)}
          />
        )}
      </FormField>
      <FormField
        id="password"
        label={t('Password')}
        error={errorOf('password')}
        aside={
          <Link className="small" to="/forgot-password">
            {t('Forgot password')}
          </Link>
        }
      >
        {(control) => (
          <PasswordInput
            control={control}
            autoComplete="current-password"
            value={values.password}
            onChange={(password) => onChange('password', password)}
          />
        )}
      </FormField>
    </>
  );
}

interface PasswordStepProps {
  /** The first attempt took too long at its second step. */
  isAgain: boolean;
  onSignedIn: () => void;
  onCodeWanted: (ticket: string) => void;
  /** The organisation lets no password count. */
  onSingleSignOnWanted: (email: string) => void;
}

/** E-mail or username and password. */
export function PasswordStep({ isAgain, onSignedIn, onCodeWanted, onSingleSignOnWanted }: PasswordStepProps) {
  const api = useService(API);
  const session = useService(SESSION_STORE);
  const unsaved = useService(UNSAVED_TEXTS);
  const { options } = useSignInOptions();
  const [values, setValues] = useState<Credentials>({ name: '', password: '', isRemembered: false });
  const [ticket, setTicket] = useState<string>();
  const next = useSearchParams()[0].get('next');
  const signIn = async (credentials: Credentials, signal: AbortSignal) => {
    const body = bodyOf(credentials);
    const answer = await api.call(login, { body, signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'single_sign_on_required')
        onSingleSignOnWanted(emailOf(credentials));
      throw error;
    });
    if ('ticket' in answer) setTicket(answer.ticket);
    else session.adopt(answer.data);
  };
  const form = useSubmit(signIn, () => (ticket === undefined ? onSignedIn() : onCodeWanted(ticket)));
  const change = (fieldId: keyof Credentials, value: string) => {
    setValues({ ...values, [fieldId]: value });
    form.edit(fieldId);
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.submit(values, issuesOf(values));
  };

  return (
    <form className="signin" onSubmit={handleSubmit} noValidate={true}>
      <h1>{t('Sign in')}</h1>
      {unsaved.isKeeping() && (
        <p className="lead">
          {t('Your session ended before everything was saved. What you wrote is shown once you have signed in again.')}
        </p>
      )}
      {isAgain && (
        <p className="lead" role="status">
          {t('The code came later than five minutes after the password. Sign in again.')}
        </p>
      )}
      <FormSummary issues={form.issues} />
      <CredentialFields values={values} errorOf={form.errorOf} onChange={change} />
      <Checkbox
        className="remember"
        label={t('Keep me signed in on this device')}
        checked={values.isRemembered}
        onChange={(event) => setValues({ ...values, isRemembered: event.target.checked })}
      />
      <SubmitButton text={t('Sign in')} form={form} />
      {options?.google === true && (
        <Suspense fallback={null}>
          <GoogleButton onSignedIn={onSignedIn} onCodeWanted={onCodeWanted} />
        </Suspense>
      )}
      <Link
        className={`${Classes.BUTTON} form-act other-way`}
        to={singleSignOnPath(next)}
        state={{ email: emailOf(values) }}
      >
        {t('Sign in with single sign-on')}
      </Link>
      {options?.sends_mail === true && (
        <p className="after">
          <Words of="New here? <a>Create an account</a>" a={(text) => <Link to="/register">{text}</Link>} />
        </p>
      )}
    </form>
  );
}
