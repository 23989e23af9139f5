import { Button } from '@blueprintjs/core';
import { type FormEvent, useState } from 'react';
import { API } from '../../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { updateClient } from '../../api/routes.ts';

/** The organisation's access token of Google, which is entered, replaced and removed, and never shown. */
export function GoogleToken({ hasStored, storedHint }: { hasStored: boolean; storedHint: string | null }) {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const [known, setKnown] = useState({ isStored: hasStored, hint: storedHint });
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const save = async (token: string | null) => {
    setIsBusy(true);
    setError(undefined);
    try {
      await api.call(updateClient, { body: { google_oauth_token: token } });
      setKnown({ isStored: token !== null, hint: token === null ? null : token.slice(-4) });
      setText('');
      toasts.show(token === null ? t('The token was removed') : t('The token was saved'), { tone: 'done' });
    } catch (failure) {
      setError(messagesOf(failure).join(' '));
    } finally {
      setIsBusy(false);
    }
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const token = text.trim();
    if (token === '') setError(t('Enter a token.'));
    else void save(token);
  };
  const stands = known.isStored
    ? t('One is stored, ending in {hint}. What you enter takes its place.', { hint: known.hint ?? '…' })
    : t('None is stored.');
  return (
    <form className="google-token" noValidate={true} onSubmit={handleSubmit}>
      <FormField
        label={t('Access token of Google')}
        error={error}
        help={`${t('With it people look up their own profile at Google. It is kept in the vault and never shown again.')} ${stands}`}
      >
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="off"
            value={text}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              setError(undefined);
            }}
          />
        )}
      </FormField>
      <div className="row">
        <Button type="submit" text={t('Save token')} disabled={text.trim() === ''} loading={isBusy} />
        {known.isStored && (
          <Button variant="minimal" text={t('Remove token')} disabled={isBusy} onClick={() => void save(null)} />
        )}
      </div>
    </form>
  );
}
