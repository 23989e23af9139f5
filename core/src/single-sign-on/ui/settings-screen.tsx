import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { StatusDot } from '../../platform/ui/display/badges.tsx';
import { ConfirmLeave } from '../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { FormSummary } from '../../platform/ui/forms/form-field.tsx';
import { SaveButton } from '../../platform/ui/forms/save-button.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { ActivationCard } from './activation-card.tsx';
import { PeopleCard } from './people-card.tsx';
import { ProviderCard } from './provider-card.tsx';
import { ProvisioningCard } from './provisioning-card.tsx';
import { SingleSignOnStore, type StoredSettings } from './settings.store.ts';
import './single-sign-on.css';

const stateOf = ({ is_enabled, is_enforced }: StoredSettings): string => {
  if (!is_enabled) return t('Off');
  return is_enforced ? t('The only way in') : t('On');
};

/** `/settings/single-sign-on`: how the organisation signs in at its identity provider. */
export const SettingsScreen = observer(function SettingsScreen() {
  const api = useService(API);
  const [store] = useState(() => new SingleSignOnStore(api));
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  const { stored } = store;
  if (store.error !== undefined) {
    return <ErrorState title={t('Single sign-on could not be read')} error={store.error} onRetry={store.load} />;
  }
  return (
    <div className="canvas">
      <ConfirmLeave isChanged={store.isChanged} />
      <PageHead
        title={t('Single sign-on')}
        aside={
          stored !== undefined && <StatusDot tone={stored.is_enabled ? 'ok' : 'neutral'}>{stateOf(stored)}</StatusDot>
        }
      >
        <SaveButton form="sso-form" store={store} />
      </PageHead>
      <div className="page">
        <p className="t2 sso-intro">
          {t(
            'People of your email domains sign in at your identity provider, by OpenID Connect or SAML. Enter it, test it, then switch it on.',
          )}
        </p>
        {stored === undefined ? (
          <SkeletonRows rows={6} rowHeight={52} label={t('Single sign-on')} />
        ) : (
          <>
            <FormSummary issues={store.issues} />
            <p className="sso-saved" role="status">
              {store.isSaved && t('Saved.')}
            </p>
            <form
              id="sso-form"
              className="sso-cards"
              noValidate={true}
              onSubmit={(event) => {
                event.preventDefault();
                void store.save();
              }}
            >
              <ProviderCard store={store} />
              <PeopleCard store={store} />
            </form>
            <div className="sso-cards">
              <ActivationCard store={store} />
              <ProvisioningCard store={store} />
            </div>
          </>
        )}
      </div>
    </div>
  );
});
