import { Button } from '@blueprintjs/core';
import { useMachine } from '@xstate/react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { nextPathOf } from '../../../platform/model/next-path.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { StatusDot } from '../../../platform/ui/display/badges.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { configureTwoFactor } from '../../api/two-factor-routes.ts';
import { SESSION_STORE } from '../session.store.ts';
import { readTwoFactor } from './read-two-factor.ts';
import { type TwoFactorState, twoFactorMachine } from './two-factor.machine.ts';
import { RecoveryCodes, RemoveForm, ScanForm } from './two-factor-forms.tsx';
import './two-factor.css';

interface OffProps {
  isRequired: boolean;
  isBusy: boolean;
  onStart: () => void;
}

function Off({ isRequired, isBusy, onStart }: OffProps) {
  return (
    <>
      {isRequired && (
        <p role="status">
          <b>{t('Your organisation requires two-factor.')}</b> {t('Set it up to go on.')}
        </p>
      )}
      <p className="t2">
        {t(
          'With two-factor a sign-in asks for a code of your authenticator besides the password, so that a password alone opens nothing. You need an app such as Aegis, 1Password or Google Authenticator.',
        )}
      </p>
      <Button intent="primary" text={t('Set up two-factor')} loading={isBusy} onClick={onStart} />
    </>
  );
}

interface OnProps {
  state: TwoFactorState;
  onRemove: () => void;
}

function On({ state, onRemove }: OnProps) {
  const left = state.recovery_codes_left;
  return (
    <>
      <p>
        <StatusDot tone="ok">{t('On')}</StatusDot>
      </p>
      <p className="t2">
        {plural(left, '{count} recovery code left.', '{count} recovery codes left.')}
        {left < 4 && <> {t('Switch two-factor off and set it up again to get new ones.')}</>}
        {state.require_2fa && <> {t('Your organisation requires two-factor.')}</>}
      </p>
      <Button text={t('Switch off')} onClick={onRemove} />
    </>
  );
}

/** `/settings/setup-2fa`: two-factor of who is signed in. */
export const TwoFactorScreen = observer(function TwoFactorScreen() {
  const api = useService(API);
  const session = useService(SESSION_STORE);
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [calls] = useState(() => ({
    check: () => readTwoFactor(api),
    configure: async () => (await api.call(configureTwoFactor)).data,
  }));
  const [state, post] = useMachine(twoFactorMachine, { input: calls });
  const { setUp, recoveryCodes, error } = state.context;
  const known = state.context.state;
  const leave = () => {
    const wasNeeded = session.needsTwoFactor;
    session.fulfilTwoFactor();
    if (wasNeeded) void navigate(nextPathOf(query.get('next')), { replace: true });
    else post({ type: 'KEPT' });
  };
  return (
    <div className="canvas">
      <PageHead title={t('Two-factor')} />
      <section className="two-factor" aria-label={t('Two-factor')}>
        {state.matches('checking') && <SkeletonRows rows={3} rowHeight={40} label={t('Two-factor')} />}
        {state.matches('failed') && (
          <ErrorState title={t('Two-factor could not be read')} error={error} onRetry={() => post({ type: 'RETRY' })} />
        )}
        {(state.matches('off') || state.matches('configuring')) && (
          <Off
            isRequired={known?.require_2fa === true}
            isBusy={state.matches('configuring')}
            onStart={() => post({ type: 'START' })}
          />
        )}
        {state.matches('scanning') && setUp !== undefined && (
          <ScanForm
            setUp={setUp}
            onSaved={(codes) => post({ type: 'SAVED', recoveryCodes: codes })}
            onCancel={() => post({ type: 'CANCEL' })}
          />
        )}
        {state.matches('keeping') && <RecoveryCodes codes={recoveryCodes} onKept={leave} />}
        {state.matches('on') && known !== undefined && <On state={known} onRemove={() => post({ type: 'REMOVE' })} />}
        {state.matches('removing') && (
          <RemoveForm onRemoved={() => post({ type: 'REMOVED' })} onCancel={() => post({ type: 'CANCEL' })} />
        )}
      </section>
    </div>
  );
});
