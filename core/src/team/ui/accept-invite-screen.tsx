import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import type { Static } from 'typebox';
import { ROLE_LABELS } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { isAbort, messagesOf } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { FormField, type FormIssue, FormSummary } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { NewPasswordFields, newPasswordIssues, SubmitButton, useSubmit } from '../../session/ui/index.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { acceptInvitation, getInvitation, type InvitationOffer } from '../api/routes.ts';

type Offer = Static<typeof InvitationOffer>;

const NO_VALUES = { username: '', password: '', confirm_password: '' };
type Values = typeof NO_VALUES;

const issuesOf = ({ username, password, confirm_password }: Values): FormIssue[] => [
  ...(username.trim() === '' ? [{ fieldId: 'username', message: t('Enter a username.') }] : []),
  ...newPasswordIssues(password, confirm_password),
];

/** Makes the account of the invited person. */
function AcceptForm({ token, offer }: { token: string; offer: Offer }) {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const navigate = useNavigate();
  const [values, setValues] = useState(NO_VALUES);
  const accept = async (body: Values, signal: AbortSignal) => {
    await api.call(acceptInvitation, { params: { token }, body, signal });
  };
  const form = useSubmit(accept, () => {
    toasts.show(t('Your account is ready. Sign in to begin.'), { tone: 'done' });
    void navigate('/login', { replace: true });
  });
  const change = (name: keyof Values, value: string) => {
    setValues({ ...values, [name]: value });
    form.edit(name);
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const sent = { ...values, username: values.username.trim() };
    form.submit(sent, issuesOf(sent));
  };
  return (
    <form className="signin" onSubmit={handleSubmit} noValidate={true}>
      <h1>{t('Join {organization_name}', { organization_name: offer.organization_name })}</h1>
      <p className="lead">
        {t('{email} is invited as {role}. Choose how you sign in.', {
          email: offer.email,
          role: t(ROLE_LABELS[offer.role]),
        })}
      </p>
      <FormSummary issues={form.issues} />
      <FormField id="username" label={t('Username')} error={form.errorOf('username')}>
        {(control) => (
          <input
            {...control}
            type="text"
            autoComplete="username"
            value={values.username}
            onChange={(event) => change('username', event.target.value)}
          />
        )}
      </FormField>
      <NewPasswordFields values={values} errorOf={form.errorOf} onChange={change} />
      <SubmitButton text={t('Accept the invitation')} form={form} />
    </form>
  );
}

/** Whoever is signed in here is not the invited person. */
const SignOutFirst = observer(function SignOutFirst() {
  const session = useService(SESSION);
  const toasts = useService(TOASTS);
  const signOut = () => void session.signOut().catch((error: unknown) => toasts.showError(error));
  return (
    <div className="signin">
      <h1>{t('Accept an invitation')}</h1>
      <p className="lead">
        {t('You are signed in as {username}. Sign out first to accept this invitation.', {
          username: session.user?.username ?? '',
        })}
      </p>
      <Button className="form-act" intent="primary" fill={true} text={t('Sign out')} onClick={signOut} />
      <p className="after">
        <Link to="/">{t('Stay signed in')}</Link>
      </p>
    </div>
  );
});

/** What the link opens, read for who is not signed in. */
function InvitedOnly({ token }: { token: string }) {
  const api = useService(API);
  const [offer, setOffer] = useState<Offer>();
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    api.call(getInvitation, { params: { token }, signal: leaving.signal }).then(
      ({ data }) => setOffer(data),
      (error: unknown) => {
        if (!isAbort(error)) setRefusal(messagesOf(error).join(' ') || t('Email is not verified. Please try again'));
      },
    );
    return () => leaving.abort();
  }, [api, token]);
  if (refusal !== undefined) {
    return (
      <div className="signin" role="alert">
        <h1>{t('Accept an invitation')}</h1>
        <p className="lead">{refusal}</p>
        <p className="after">
          <Link to="/login">{t('To sign in')}</Link>
        </p>
      </div>
    );
  }
  return offer === undefined ? null : <AcceptForm token={token} offer={offer} />;
}

/** `/accept-invite?token=`: makes the account that an admin invited somebody to. */
export const AcceptInviteScreen = observer(function AcceptInviteScreen() {
  const { isSignedIn } = useService(SESSION);
  const token = useSearchParams()[0].get('token') ?? '';
  return isSignedIn ? <SignOutFirst /> : <InvitedOnly key={token} token={token} />;
});
