import { Button, Switch } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { msg } from '../../platform/model/message.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { Time } from '../../platform/ui/display/badges.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import { goToProvider } from './go-to-provider.ts';
import type { StoreProps } from './settings-fields.tsx';

/** A sign-in that shows what would happen and does nothing. */
const TestButton = observer(function TestButton({ store }: StoreProps) {
  const toasts = useService(TOASTS);
  const [isGoing, setIsGoing] = useState(false);
  const tested = store.stored?.tested_at ?? null;
  const test = async () => {
    setIsGoing(true);
    try {
      goToProvider(await store.test());
    } catch (error) {
      setIsGoing(false);
      toasts.showError(error);
    }
  };
  return (
    <div className="row wrap">
      <Button text={t('Test the sign-in')} disabled={store.isChanged} loading={isGoing} onClick={() => void test()} />
      <span className="small muted">
        {tested === null ? (
          t('Not tested since the provider was changed.')
        ) : (
          <Words of="Accepted {time}." time={<Time value={tested} />} />
        )}
      </span>
    </div>
  );
});

const CONSEQUENCE = msg(
  'Passwords no longer count, except the one of an only admin. Sessions that are open stay. If the provider is away, the operator of this server can let passwords count again.',
);

/** Test, then on, then the only way in. */
export const ActivationCard = observer(function ActivationCard({ store }: StoreProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { stored } = store;
  if (stored === undefined) return null;
  const { is_enabled: isEnabled, is_enforced: isEnforced, tested_at: tested } = stored;
  const enforce = async () => {
    await store.apply({ is_enforced: true });
    setIsAsking(false);
  };
  const isBlocked = store.isChanged || store.isSaving;
  return (
    <section className="bp6-card sso-card" aria-labelledby="sso-activation">
      <h2 id="sso-activation">{t('Test and switch on')}</h2>
      {store.isChanged && <p className="muted">{t('Save first: what is tested and switched on is what is stored.')}</p>}
      <TestButton store={store} />
      <Switch
        id="is_enabled"
        className="switch"
        label={t('People may sign in at the provider')}
        checked={isEnabled}
        disabled={isBlocked}
        onChange={() => void store.apply({ is_enabled: !isEnabled })}
      />
      <Switch
        id="is_enforced"
        className="switch"
        label={t('Single sign-on is the only way in')}
        checked={isEnforced}
        disabled={isBlocked || (!isEnforced && (!isEnabled || tested === null))}
        onChange={() => (isEnforced ? void store.apply({ is_enforced: false }) : setIsAsking(true))}
      />
      <p className="small muted">
        {isEnabled && tested === null
          ? t('It can be the only way in once a test was accepted.')
          : t(
              'Our own two-factor is not asked for after single sign-on: your provider decides how people prove who they are.',
            )}
      </p>
      <ActionDialog
        isOpen={isAsking}
        title={t('Let passwords no longer count')}
        consequence={t(CONSEQUENCE)}
        actionLabel={t('Let them no longer count')}
        isBusy={store.isSaving}
        onAction={() => void enforce()}
        onClose={() => setIsAsking(false)}
      />
    </section>
  );
});
