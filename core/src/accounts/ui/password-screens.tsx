import { type FormEvent, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { msg } from '../../platform/model/message.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { FormField, FormSummary } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { PasswordInput, SESSION_STORE, SubmitButton, useSignInOptions, useSubmit } from '../../session/ui/index.ts';
import { changePassword, confirmPasswordReset, requestPasswordReset } from '../api/routes.ts';
import { BackToSignIn, DoneNote, emailIssues, NewPasswordForm, TextField, WithOptions } from './account-form.tsx';
import './account-page.css';

// no text: a command
const RESET_COMMAND = 'npm run admin -- reset-password <email>';
const TITLE = msg('Forgot password');

function RequestForm() {
  const api = useService(API);
  const [email, setEmail] = useState('');
  const [isSent, setIsSent] = useState(false);
  const send = async (wanted: string, signal: AbortSignal) => {
    await api.call(requestPasswordReset, { body: { email: wanted.trim() }, signal });
  };
  const form = useSubmit(send, () => setIsSent(true));
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.submit(email, emailIssues(email));
  };
  if (isSent) {
    return (
      <DoneNote title={t('Check your mail')}>
        <p className="lead">
          {t(
            'If {email} belongs to an account, a link to choose a new password is on its way. It works once, within an hour.',
            { email: email.trim() },
          )}
        </p>
      </DoneNote>
    );
  }
  return (
    <form className="signin" onSubmit={handleSubmit} noValidate={true}>
      <h1>{t(TITLE)}</h1>
      <p className="lead">{t('A link to choose a new password comes by mail.')}</p>
      <FormSummary issues={form.issues} />
      <TextField
        id="email"
        label={t('Email')}
        type="email"
        autoComplete="email"
        value={email}
        error={form.errorOf('email')}
        onChange={(value) => {
          setEmail(value);
          form.edit('email');
        }}
      />
      <SubmitButton text={t('Send the link')} form={form} />
      <BackToSignIn />
    </form>
  );
}

/** `/forgot-password`: by mail, else what helps on an installation that sends none (decisions.md "Starting it"). */
export function ForgotPasswordScreen() {
  const state = useSignInOptions();
  return (
    <WithOptions state={state} title={t(TITLE)}>
      {(sendsMail) =>
        sendsMail ? (
          <RequestForm />
        ) : (
          <div className="signin">
            <h1>{t(TITLE)}</h1>
            <p className="lead">{t('This installation sends no mail, so a password is reset on the server.')}</p>
            <p className="t2">{t('Ask whoever runs it to enter this command with your email address:')}</p>
            <pre className="command">
              <code>{RESET_COMMAND}</code>
            </pre>
            <BackToSignIn />
          </div>
        )
      }
    </WithOptions>
  );
}

/** `/reset-password?token`: the mailed link. */
export function ResetPasswordScreen() {
  const api = useService(API);
  const [query] = useSearchParams();
  const [isDone, setIsDone] = useState(false);
  if (isDone) {
    return (
      <DoneNote title={t('Password changed')}>
        <p className="lead">{t('Every session has ended. Sign in with the new password.')}</p>
      </DoneNote>
    );
  }
  return (
    <NewPasswordForm
      title={t('Choose a new password')}
      lead={t('You will be signed out everywhere.')}
      values={{ password: '', confirm_password: '' }}
      submitLabel={t('Change password')}
      send={async (body, signal) => {
        await api.call(confirmPasswordReset, { body: { token: query.get('token') ?? '', ...body }, signal });
      }}
      onDone={() => setIsDone(true)}
      afterRefusal={
        <p className="after">
          <Link to="/forgot-password">{t('Ask for a new link')}</Link>
        </p>
      }
    />
  );
}

/** `/change-password`: of who is signed in. */
export function ChangePasswordScreen() {
  const api = useService(API);
  const session = useService(SESSION_STORE);
  const toasts = useService(TOASTS);
  const navigate = useNavigate();
  const leave = async () => {
    toasts.show(t('Password changed. Sign in with the new one.'), { tone: 'done' });
    await navigate('/login', { replace: true });
  };
  return (
    <div className="canvas account-page">
      <PageHead title={t('Change password')} />
      <NewPasswordForm
        lead={t('You will be signed out everywhere, here too.')}
        values={{ old_password: '', password: '', confirm_password: '' }}
        fields={({ old_password }, change, errorOf) => (
          <FormField id="old_password" label={t('Old password')} error={errorOf('old_password')}>
            {(control) => (
              <PasswordInput
                control={control}
                autoComplete="current-password"
                value={old_password}
                onChange={(value) => change('old_password', value)}
              />
            )}
          </FormField>
        )}
        issuesOf={({ old_password }) =>
          old_password === '' ? [{ fieldId: 'old_password', message: t('Enter your old password.') }] : []
        }
        submitLabel={t('Change password')}
        send={async (body, signal) => {
          await api.call(changePassword, { body, signal });
          session.leave();
        }}
        onDone={() => void leave()}
      />
    </div>
  );
}
