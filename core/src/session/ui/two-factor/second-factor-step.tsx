import { API } from '../../../platform/ui/data/api-client.ts';
import { ApiError } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { finishLogin } from '../../api/two-factor-routes.ts';
import { SESSION_STORE } from '../session.store.ts';
import { CodeForm } from './code-form.tsx';

interface SecondFactorStepProps {
  ticket: string;
  isRecovery: boolean;
  onSwitch: () => void;
  onSignedIn: () => void;
  onTicketEnded: () => void;
  onStartOver: () => void;
}

/** The second step of a sign-in: a code of the authenticator, or a recovery code. */
export function SecondFactorStep({ ticket, isRecovery, ...on }: SecondFactorStepProps) {
  const api = useService(API);
  const session = useService(SESSION_STORE);
  const send = async (given: string, signal: AbortSignal) => {
    try {
      const body = { ticket, ...(isRecovery ? { recovery_code: given } : { otp_code: given }) };
      session.adopt((await api.call(finishLogin, { body, signal })).data);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'sign_in_ticket_invalid') on.onTicketEnded();
      throw error;
    }
  };
  return (
    <CodeForm
      isRecovery={isRecovery}
      className="signin"
      action={t('Sign in')}
      cancel={t('Start over')}
      send={send}
      onDone={on.onSignedIn}
      onSwitch={on.onSwitch}
      onCancel={on.onStartOver}
    >
      <h1>{isRecovery ? t('Use a recovery code') : t('Enter your code')}</h1>
      <p className="lead">
        {isRecovery
          ? t('One of the ten codes that you kept when you set two-factor up. Each works once.')
          : t('The six digits that your authenticator shows for Breakwater.')}
      </p>
    </CodeForm>
  );
}
