import { type FormEvent, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { FormField, FormSummary } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { SubmitButton, useSubmit } from '../../session/ui/index.ts';
import { beginSingleSignOn } from '../api/routes.ts';
import { isPlainEmail } from '../model/identity.ts';
import { goToProvider } from './go-to-provider.ts';

/** The e-mail that the sign-in page knows already. */
const emailIn = (state: unknown): string =>
  typeof state === 'object' && state !== null && 'email' in state && typeof state.email === 'string' ? state.email : '';

const issuesOf = (email: string) =>
  isPlainEmail(email) ? [] : [{ fieldId: 'email', message: t('Enter your work email address.') }];

/** `/login/single-sign-on`: finds the identity provider by the e-mail, and goes there. */
export function BeginScreen() {
  const api = useService(API);
  const [query] = useSearchParams();
  const [email, setEmail] = useState(emailIn(useLocation().state));
  const next = query.get('next');
  const begin = async (address: string, signal: AbortSignal) => {
    const body = { email: address, ...(next === null ? {} : { next }) };
    goToProvider((await api.call(beginSingleSignOn, { body, signal })).data.url);
  };
  const form = useSubmit(begin, () => undefined);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.submit(email.trim(), issuesOf(email.trim()));
  };
  return (
    <form className="signin" onSubmit={handleSubmit} noValidate={true}>
      <h1>{t('Single sign-on')}</h1>
      <p className="lead">{t('Your work email says which identity provider signs you in. You go there from here.')}</p>
      <FormSummary issues={form.issues} />
      <FormField id="email" label={t('Work email')} error={form.errorOf('email')}>
        {(control) => (
          <input
            {...control}
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              form.edit('email');
            }}
          />
        )}
      </FormField>
      <SubmitButton text={t('Continue')} form={{ ...form, isSubmitting: form.isSubmitting || form.isDone }} />
      <p className="after">
        <Link to={next === null ? '/login' : `/login?next=${encodeURIComponent(next)}`}>
          {t('Use your password instead')}
        </Link>
      </p>
    </form>
  );
}
