import { useMachine } from '@xstate/react';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { nextPathOf } from '../../platform/model/next-path.ts';
import { PasswordStep, singleSignOnPath } from './password-step.tsx';
import { signInMachine } from './sign-in.machine.ts';
import { SecondFactorStep } from './two-factor/second-factor-step.tsx';

/** `/login`: password, then a code where the account asks for one; the password leads on to single sign-on where it does not count. */
export function SignInScreen() {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [state, post] = useMachine(signInMachine);
  const isSignedIn = state.matches('signedIn');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of the machine is the only occasion
  useEffect(() => {
    if (isSignedIn) void navigate(nextPathOf(query.get('next')), { replace: true });
  }, [isSignedIn]);
  const isElsewhere = state.matches('singleSignOn');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of the machine is the only occasion
  useEffect(() => {
    if (isElsewhere) void navigate(singleSignOnPath(query.get('next')), { state: { email: state.context.email } });
  }, [isElsewhere]);
  if (state.matches('secondFactor')) {
    const isRecovery = state.matches({ secondFactor: 'recoveryCode' });
    return (
      <SecondFactorStep
        key={isRecovery ? 'recovery' : 'code'}
        ticket={state.context.ticket}
        isRecovery={isRecovery}
        onSwitch={() => post({ type: isRecovery ? 'USE_CODE' : 'USE_RECOVERY_CODE' })}
        onSignedIn={() => post({ type: 'SIGNED_IN' })}
        onTicketEnded={() => post({ type: 'TICKET_ENDED' })}
        onStartOver={() => post({ type: 'START_OVER' })}
      />
    );
  }
  return (
    <PasswordStep
      isAgain={state.matches({ password: 'again' })}
      onSignedIn={() => post({ type: 'SIGNED_IN' })}
      onSingleSignOnWanted={(email) => post({ type: 'SINGLE_SIGN_ON_WANTED', email })}
      onCodeWanted={(ticket) => post({ type: 'CODE_WANTED', ticket })}
    />
  );
}
