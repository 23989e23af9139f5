import { Checkbox } from '@blueprintjs/core';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { UNSAVED_TEXTS } from '../../platform/ui/feedback/unsaved-texts.ts';
import { FormField, type FormIssue, FormSummary } from '../../platform/ui/forms/form-field.tsx';
import { nextPathOf } from '../../shell/ui/routing/guards.ts';
import { login } from '../api/routes.ts';
import { PasswordInput, SubmitButton } from './password-form.tsx';
import { SESSION_STORE } from './session.store.ts';
import { useSubmit } from './use-submit.ts';

interface Credentials {
  name: string;
  password: string;
  isRemembered: boolean;
}

/** An `@` makes it an e-mail address: usernames have none. */
const bodyOf = ({ name, password, isRemembered }: Credentials) => ({
  ...(name.includes('@') ? { email: name.trim() } : { username: name.trim() }),
  password,
  rememberMe: isRemembered,
});

const issuesOf = ({ name, password }: Credentials): FormIssue[] => [
  ...(name.trim() === '' ? [{ fieldId: 'name', message: 'Enter your email or username.' }] : []),
  ...(password === '' ? [{ fieldId: 'password', message: 'Enter your password.' }] : []),
];

/** `/login`: e-mail or username and password. */
export function SignInScreen() {
  const api = useService(API);
  const session = useService(SESSION_STORE);
  const unsaved = useService(UNSAVED_TEXTS);
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [values, setValues] = useState<Credentials>({ name: '', password: '', isRemembered: false });
  const signIn = async (credentials: Credentials, signal: AbortSignal) => {
    const { data } = await api.call(login, { body: bodyOf(credentials), signal });
    session.adopt({ user: data.user, client: data.client });
  };
  const form = useSubmit(signIn, () => navigate(nextPathOf(query.get('next')), { replace: true }));
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
      <h1>Sign in</h1>
      {unsaved.isKeeping() && (
        <p className="lead">
          Your session ended before everything was saved. What you wrote is shown once you have signed in again.
        </p>
      )}
      <FormSummary issues={form.issues} />
      <FormField id="name" label="Email or username" error={form.errorOf('name')}>
        {(control) => (
          <input
            {...control}
            type="text"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={values.name}
            onChange={(event) => change('name', event.target.value)}
          />
        )}
      </FormField>
      <FormField
        id="password"
        label="Password"
        error={form.errorOf('password')}
        aside={
          <Link className="small" to="/forgot-password">
            Forgot password
          </Link>
        }
      >
        {(control) => (
          <PasswordInput
            control={control}
            autoComplete="current-password"
            value={values.password}
            onChange={(password) => change('password', password)}
          />
        )}
      </FormField>
      <Checkbox
        className="remember"
        label="Keep me signed in on this device"
        checked={values.isRemembered}
        onChange={(event) => setValues({ ...values, isRemembered: event.target.checked })}
      />
      <SubmitButton text="Sign in" form={form} />
    </form>
  );
}
