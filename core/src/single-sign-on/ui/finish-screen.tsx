import { Classes } from '@blueprintjs/core';
import { useMachine } from '@xstate/react';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { msg } from '../../platform/model/message.ts';
import { nextPathOf } from '../../platform/model/next-path.ts';
import { ROLE_LABELS } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { SESSION_STORE } from '../../session/ui/index.ts';
import { finishSingleSignOn } from '../api/routes.ts';
import { createFinishMachine, type Outcome } from './finish.machine.ts';
import './single-sign-on.css';

const FIELDS = ['state', 'code', 'iss', 'error', 'error_description', 'ticket'] as const;

/** What the identity provider sent the browser back with. */
const answerIn = (query: URLSearchParams) =>
  Object.fromEntries(FIELDS.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])));

const ACCOUNT_WORDS = {
  linked: msg('Signed in by this provider before'),
  matched: msg('Found by the email, and linked at the first sign-in'),
  new: msg('None yet: it is made at the first sign-in'),
} as const;

function TestResult({ outcome }: { outcome: Outcome }) {
  const { email, email_verified, subject, groups, account, username, role } = outcome;
  return (
    <div className="signin sso-result">
      <h1>{t('The test was accepted')}</h1>
      <p className="lead">
        {t('Nobody was signed in and nothing was changed. This is what the identity provider says.')}
      </p>
      <dl className="facts">
        <dt>{t('Email')}</dt>
        <dd>
          {email === null
            ? t('None')
            : email_verified
              ? t('{email}, verified', { email })
              : t('{email}, not verified', { email })}
        </dd>
        <dt>{t('Subject')}</dt>
        <dd className="mono">{subject}</dd>
        <dt>{t('Groups')}</dt>
        <dd>{groups.length === 0 ? t('None') : groups.join(', ')}</dd>
        <dt>{t('Account')}</dt>
        <dd>
          {username === null ? '' : `${username}. `}
          {t(ACCOUNT_WORDS[account])}
        </dd>
        <dt>{t('Role')}</dt>
        <dd>{role === null ? t('Stays as it is') : t(ROLE_LABELS[role])}</dd>
      </dl>
      <Link className={`${Classes.BUTTON} ${Classes.INTENT_PRIMARY} form-act`} to="/settings/single-sign-on">
        {t('Back to the settings')}
      </Link>
    </div>
  );
}

function Refused({ messages, isSignedIn }: { messages: readonly string[]; isSignedIn: boolean }) {
  return (
    <div className="signin" role="alert">
      <h1>{isSignedIn ? t('The test was refused') : t('The sign-in was refused')}</h1>
      {messages.map((message) => (
        <p key={message} className="lead">
          {message}
        </p>
      ))}
      <Link
        className={`${Classes.BUTTON} ${Classes.INTENT_PRIMARY} form-act`}
        to={isSignedIn ? '/settings/single-sign-on' : '/login/single-sign-on'}
      >
        {isSignedIn ? t('Back to the settings') : t('Begin again')}
      </Link>
      {!isSignedIn && (
        <p className="after">
          <Link to="/login">{t('Use your password instead')}</Link>
        </p>
      )}
    </div>
  );
}

/** `/login/single-sign-on/<organisation>`: hands what an identity provider sent back on to the server, once. */
export function FinishScreen() {
  const api = useService(API);
  const session = useService(SESSION_STORE);
  const navigate = useNavigate();
  const { client = '' } = useParams();
  const [query] = useSearchParams();
  const [machine] = useState(() => {
    const body = answerIn(query);
    return createFinishMachine(
      async () => (await api.call(finishSingleSignOn, { params: { client_id: client }, body })).data,
      async () => {
        await session.refresh();
        return session.isSignedIn;
      },
    );
  });
  const [state] = useMachine(machine);
  const { returnPath, test, messages, isSignedIn } = state.context;
  const isDone = state.matches('signedIn');
  // biome-ignore lint/correctness/useExhaustiveDependencies: at the beginning, and at the end of the machine
  useEffect(() => {
    // codes do not stay in the address
    if (isDone) void navigate(nextPathOf(returnPath), { replace: true });
    else if (query.size > 0) void navigate({ search: '' }, { replace: true });
  }, [isDone]);
  if (test !== null) return <TestResult outcome={test} />;
  if (state.matches('refused')) return <Refused messages={messages} isSignedIn={isSignedIn} />;
  return (
    <div className="signin" role="status">
      <h1>{t('Signing in')}</h1>
      <SkeletonRows rows={2} rowHeight={24} label={t('Signing in')} />
    </div>
  );
}
