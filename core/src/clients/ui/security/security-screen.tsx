import { Switch } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../../platform/ui/data/api-client.ts';
import { isAbort, messagesOf } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { Words } from '../../../platform/ui/language/words.tsx';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { readTwoFactor } from '../../../session/ui/index.ts';
import { updateClient } from '../../api/routes.ts';
import { readClient } from '../read-client.ts';
import { GoogleToken } from './google-token.tsx';
import { RetentionForm } from './retention-form.tsx';
import './security.css';

/** Whether everybody of the organisation has to set two-factor up. Requiring it asks first: people without it are stopped at once. */
function RequireTwoFactor() {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const [isRequired, setIsRequired] = useState<boolean>();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => {
    let isMounted = true;
    readTwoFactor(api).then(
      ({ require_2fa }) => isMounted && setIsRequired(require_2fa),
      (failure: unknown) => {
        if (isMounted && !isAbort(failure)) toasts.showError(failure);
      },
    );
    return () => {
      isMounted = false;
    };
  }, [api, toasts]);
  const save = async (require_2fa: boolean) => {
    setIsBusy(true);
    setError(undefined);
    try {
      await api.call(updateClient, { body: { require_2fa } });
      setIsRequired(require_2fa);
      setIsAsking(false);
      toasts.show(require_2fa ? t('Two-factor is required now') : t('Two-factor is no longer required'), {
        tone: 'done',
      });
    } catch (failure) {
      setError(messagesOf(failure).join(' '));
      if (!require_2fa) toasts.showError(failure);
    } finally {
      setIsBusy(false);
    }
  };
  if (isRequired === undefined) return null;
  return (
    <>
      <Switch
        className="switch require-2fa"
        label={t('Require two-factor of everybody')}
        checked={isRequired}
        disabled={isBusy}
        onChange={() => (isRequired ? void save(false) : setIsAsking(true))}
      />
      <ActionDialog
        isOpen={isAsking}
        title={t('Require two-factor')}
        consequence={t(
          'Everybody who signs in with a password and has no two-factor, you too, has to set it up before they can go on. Single sign-on is not asked.',
        )}
        actionLabel={t('Require it')}
        isBusy={isBusy}
        onAction={() => void save(true)}
        onClose={() => setIsAsking(false)}
      >
        {error !== undefined && <p className="err">{error}</p>}
      </ActionDialog>
    </>
  );
}

/** What is stored of the whole organisation, below the switch that is read by itself. */
function StoredSettings() {
  const api = useService(API);
  const [client, setClient] = useState<Awaited<ReturnType<typeof readClient>>>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads anew
  useEffect(() => {
    const abort = new AbortController();
    setError(undefined);
    readClient(api, abort.signal).then(setClient, (failure: unknown) => {
      if (!isAbort(failure)) setError(failure);
    });
    return () => abort.abort();
  }, [api, attempt]);
  if (error !== undefined) {
    return (
      <ErrorState
        title={t('The settings could not be read')}
        error={error}
        onRetry={() => setAttempt((count) => count + 1)}
      />
    );
  }
  if (client === undefined) return <SkeletonRows rows={4} rowHeight={52} label={t('Security')} />;
  const { audit_retention_days, report_retention_days, has_google_oauth_token, google_oauth_token_hint } = client;
  return (
    <>
      {audit_retention_days !== null && (
        <section aria-label={t('Audit log')}>
          <h2>{t('Audit log')}</h2>
          <RetentionForm of="audit" storedDays={audit_retention_days} />
        </section>
      )}
      {report_retention_days !== null && (
        <section aria-label={t('Reports')}>
          <h2>{t('Reports')}</h2>
          <RetentionForm of="reports" storedDays={report_retention_days} />
        </section>
      )}
      <section aria-label={t('Google')}>
        <h2>{t('Google')}</h2>
        <GoogleToken hasStored={has_google_oauth_token} storedHint={google_oauth_token_hint} />
      </section>
    </>
  );
}

/** `/settings/security`: what the organisation asks of a sign-in, how long its audit log and its reports stay, and its token of Google. */
export function SecurityScreen() {
  return (
    <div className="canvas">
      <PageHead title={t('Security')} />
      <section className="security" aria-label={t('Security')}>
        <h2>{t('Two-factor')}</h2>
        <RequireTwoFactor />
        <p className="t2">
          <Words
            of="With two-factor a sign-in asks for a code besides the password. People who have not set it up are led there when they sign in. Who has it stands in the <a>team</a>, where you can also let somebody start anew."
            a={(text) => <Link to="/settings/team">{text}</Link>}
          />
        </p>
        <StoredSettings />
      </section>
    </div>
  );
}
