import { observer } from 'mobx-react-lite';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { NO_PREFERENCES } from '../../../platform/model/locale.ts';
import { ROLE_LABELS } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { FormField, FormSummary } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import type { SignedInUser } from '../../../shell/ui/navigation/shell-ports.ts';
import { updateProfile } from '../../api/profile-routes.ts';
import { getSession } from '../../api/routes.ts';
import { SubmitButton } from '../password-form.tsx';
import { PersonAvatar } from '../person-avatar.tsx';
import { SESSION_STORE } from '../session.store.ts';
import { useSubmit } from '../use-submit.ts';
import { LocaleForm } from './locale-form.tsx';
import './profile.css';

function NameForm({ user, onSaved }: { user: SignedInUser; onSaved: () => void }) {
  const api = useService(API);
  const session = useService(SESSION_STORE);
  const toasts = useService(TOASTS);
  const [username, setUsername] = useState(user.username);
  const save = async (name: string, signal: AbortSignal) => {
    const { data } = await api.call(updateProfile, { body: { username: name }, signal });
    session.rename(data);
  };
  const form = useSubmit(save, () => {
    toasts.show(t('Profile saved'), { tone: 'done' });
    onSaved();
  });
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const issues = username.trim() === '' ? [{ fieldId: 'username', message: t('Enter a name.') }] : [];
    form.submit(username, issues);
  };
  return (
    <form className="profile-form" onSubmit={handleSubmit} noValidate={true}>
      <FormSummary issues={form.issues} />
      <FormField
        id="username"
        label={t('Name')}
        help={t('Others see it at findings, in the history and in the team. You can sign in with it.')}
        error={form.errorOf('username')}
      >
        {(control) => (
          <input
            {...control}
            type="text"
            autoComplete="username"
            maxLength={100}
            value={username}
            onChange={(event) => {
              setUsername(event.currentTarget.value);
              form.edit('username');
            }}
          />
        )}
      </FormField>
      <SubmitButton text={t('Save')} form={form} />
    </form>
  );
}

/** Which Google account the person signs in with; nothing is shown to who never did. */
function GoogleAccount() {
  const api = useService(API);
  const [profile, setProfile] = useState<{ email: string; name: string } | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    api.call(getSession, { signal: leaving.signal }).then(
      ({ data }) => setProfile(data.google_profile),
      // what stands beside it does not need it
      () => undefined,
    );
    return () => leaving.abort();
  }, [api]);
  if (profile === null) return null;
  return (
    <>
      <dt>{t('Google account')}</dt>
      <dd>
        {profile.name === '' ? '' : `${profile.name}, `}
        {profile.email}
      </dd>
    </>
  );
}

interface ProfileScreenProps {
  /** What another slice shows below. */
  children?: ReactNode;
}

/** `/settings/profile`: who one is to the others. */
export const ProfileScreen = observer(function ProfileScreen({ children }: ProfileScreenProps) {
  const session = useService(SESSION_STORE);
  const { user, hasAvatars } = session;
  const locale = session.data?.locale ?? NO_PREFERENCES;
  // a form is sent once: the next change begins a new one
  const [saves, setSaves] = useState(0);
  if (user === undefined) return null;
  return (
    <div className="canvas">
      <PageHead title={t('Profile')} />
      <section className="profile" aria-label={t('Profile')}>
        <div className="row profile-head">
          <PersonAvatar id={user._id} name={user.username} isLarge={true} isDecorative={true} />
          <p className="t2">
            {hasAvatars
              ? t(
                  'Your picture is the one that the avatar service of this installation has for your e-mail. Without one your initials show.',
                )
              : t('Others see your initials: this installation asks no service for pictures.')}
          </p>
        </div>
        <dl className="profile-facts">
          <dt>{t('E-mail')}</dt>
          <dd>{user.email}</dd>
          <dt>{t('Role')}</dt>
          <dd>{t(ROLE_LABELS[user.role])}</dd>
          <GoogleAccount />
        </dl>
        <NameForm key={saves} user={user} onSaved={() => setSaves(saves + 1)} />
        <LocaleForm key={JSON.stringify(locale)} stored={locale} />
      </section>
      {children}
    </div>
  );
});
