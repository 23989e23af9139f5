import { Button } from '@blueprintjs/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import { msg } from '../../platform/model/message.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { ApiError, isAbort } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { FormSummary } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { SubmitButton, useSignInOptions, useSubmit } from '../../session/ui/index.ts';
import { readRegistration, register, resendVerification, verifyRegistration } from '../api/routes.ts';
import { BackToSignIn, DoneNote, emailIssues, NewPasswordForm, TextField, WithOptions } from './account-form.tsx';

/** Where a failure brings no text of its own. Source: specification §8. */
const NOT_VERIFIED = msg('Email is not verified. Please try again');
const NOT_REGISTERED = msg('User is not verified. Please try again');

const TITLE = msg('Create an account');

function RegisterForm() {
  const api = useService(API);
  const [values, setValues] = useState({ organization_name: '', email: '' });
  const [sentTo, setSentTo] = useState<string>();
  const send = async ({ organization_name, email }: typeof values, signal: AbortSignal) => {
    await api.call(register, { body: { organization_name: organization_name.trim(), email: email.trim() }, signal });
  };
  const form = useSubmit(send, () => setSentTo(values.email.trim()), t(NOT_REGISTERED));
  const change = (name: keyof typeof values) => (value: string) => {
    setValues({ ...values, [name]: value });
    form.edit(name);
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const hasName = values.organization_name.trim() !== '';
    const missing = { fieldId: 'organization_name', message: t('Enter the name of your organisation.') };
    form.submit(values, [...(hasName ? [] : [missing]), ...emailIssues(values.email)]);
  };
  if (sentTo !== undefined) {
    return (
      <DoneNote title={t('Check your mail')}>
        <p className="lead">{t('A link is on its way to {sentTo}. It works once, within 72 hours.', { sentTo })}</p>
      </DoneNote>
    );
  }
  return (
    <form className="signin" onSubmit={handleSubmit} noValidate={true}>
      <h1>{t(TITLE)}</h1>
      <p className="lead">{t('For your organisation. A link to choose username and password comes by mail.')}</p>
      <FormSummary issues={form.issues} />
      <TextField
        id="organization_name"
        label={t('Organisation')}
        autoComplete="organization"
        value={values.organization_name}
        error={form.errorOf('organization_name')}
        onChange={change('organization_name')}
      />
      <TextField
        id="email"
        label={t('Email')}
        type="email"
        autoComplete="email"
        value={values.email}
        error={form.errorOf('email')}
        onChange={change('email')}
      />
      <SubmitButton text={t('Send the link')} form={form} />
      <BackToSignIn />
    </form>
  );
}

/** `/register`: closed where no mail is sent (decisions.md "Starting it"). */
export function RegisterScreen() {
  const state = useSignInOptions();
  return (
    <WithOptions state={state} title={t(TITLE)}>
      {(sendsMail) =>
        sendsMail ? (
          <RegisterForm />
        ) : (
          <div className="signin">
            <h1>{t(TITLE)}</h1>
            <p className="lead">{t('Self-registration is closed on this installation, because it sends no mail.')}</p>
            <p className="t2">{t('Ask an admin of your organisation for an account.')}</p>
            <BackToSignIn />
          </div>
        )
      }
    </WithOptions>
  );
}

/** Mails the link anew, in place of this one. */
function ResendButton({ token }: { token: string }) {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle');
  const resend = async () => {
    setState('sending');
    try {
      await api.call(resendVerification, { params: { token } });
      setState('sent');
    } catch (error) {
      toasts.showError(error);
      setState('idle');
    }
  };
  if (state === 'sent') {
    return (
      <p className="t2" role="status">
        {t('A new link is on its way. This one works no more.')}
      </p>
    );
  }
  return <Button text={t('Send a new link')} loading={state === 'sending'} onClick={() => void resend()} />;
}

interface Registration {
  email: string;
  organization_name: string;
}

/** The server's own words, except where it could not be asked. */
const verificationFailure = (error: unknown): string =>
  error instanceof ApiError && error.status !== 0 ? error.message : t(NOT_VERIFIED);

/** `/verify-register/{id}`: the mailed link; its reader chooses username and password. */
export function VerifyRegisterScreen() {
  const api = useService(API);
  const { id: token = '' } = useParams();
  const [registration, setRegistration] = useState<Registration>();
  const [failure, setFailure] = useState<string>();
  const [isDone, setIsDone] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    api
      .call(readRegistration, { params: { token }, signal: leaving.signal })
      .then(({ data }) => setRegistration(data))
      .catch((error: unknown) => {
        if (!isAbort(error)) setFailure(verificationFailure(error));
      });
    return () => leaving.abort();
  }, [api, token]);
  if (isDone) {
    return (
      <DoneNote title={t('Welcome')}>
        <p className="lead">{t('Your organisation is ready. Sign in with what you have chosen.')}</p>
      </DoneNote>
    );
  }
  if (failure !== undefined || registration === undefined) {
    return (
      <div className="signin">
        <h1>{t('Verify your registration')}</h1>
        <FormSummary issues={failure === undefined ? [] : [{ message: failure }]} />
        {failure === undefined ? (
          <SkeletonRows rows={3} rowHeight={48} label={t('Registration')} />
        ) : (
          <>
            <ResendButton token={token} />
            <BackToSignIn />
          </>
        )}
      </div>
    );
  }
  return (
    <NewPasswordForm
      title={t('Join as admin of {organization_name}', { organization_name: registration.organization_name })}
      lead={t('Choose a username and a password for {email}.', { email: registration.email })}
      values={{ username: '', password: '', confirm_password: '' }}
      fields={({ username }, change, errorOf) => (
        <TextField
          id="username"
          label={t('Username')}
          autoComplete="username"
          value={username}
          error={errorOf('username')}
          onChange={(value) => change('username', value)}
        />
      )}
      issuesOf={({ username }) =>
        username.trim() === '' ? [{ fieldId: 'username', message: t('Enter a username.') }] : []
      }
      submitLabel={t('Create organisation')}
      fallback={t(NOT_REGISTERED)}
      send={async (values, signal) => {
        const body = { ...values, username: values.username.trim() };
        await api.call(verifyRegistration, { params: { token }, body, signal });
      }}
      onDone={() => setIsDone(true)}
    />
  );
}
