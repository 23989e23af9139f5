import { Classes } from '@blueprintjs/core';
import { useMachine } from '@xstate/react';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { nextPathOf } from '../../platform/model/next-path.ts';
import { ROLE_LABELS } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { SESSION_STORE } from '../../session/ui/index.ts';
import { finishSingleSignOn } from '../api/routes.ts';
import { createFinishMachine, type Outcome } from './finish.machine.ts';
import './single-sign-on.css';

const FIELDS = ['state', 'code', 'iss', 'error', 'error_description', 'ticket'] as const;

/** What the identity provider sent the browser back with. */
const answerIn = (query: URLSearchParams) =>
  Object.fromEntries(FIELDS.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])));

const ACCOUNT_WORDS = {
  linked: 'Signed in by this provider before',
  matched: 'Found by the email, and linked at the first sign-in',
  new: 'None yet: it is made at the first sign-in',
} as const;

function TestResult({ outcome }: { outcome: Outcome }) {
  const { email, email_verified, subject, groups, account, username, role } = outcome;
  return (
    <div className="signin sso-result">
      <h1>The test was accepted</h1>
      <p className="lead">Nobody was signed in and nothing was changed. This is what the identity provider says.</p>
      <dl className="facts">
        <dt>Email</dt>
        <dd>{email === null ? 'None' : `${email}${email_verified ? ', verified' : ', not verified'}`}</dd>
        <dt>Subject</dt>
        <dd className="mono">{subject}</dd>
        <dt>Groups</dt>
        <dd>{groups.length === 0 ? 'None' : groups.join(', ')}</dd>
        <dt>Account</dt>
        <dd>
          {username === null ? '' : `${username}. `}
          {ACCOUNT_WORDS[account]}
        </dd>
        <dt>Role</dt>
        <dd>{role === null ? 'Stays as it is' : ROLE_LABELS[role]}</dd>
      </dl>
      <Link className={`${Classes.BUTTON} ${Classes.INTENT_PRIMARY} form-act`} to="/settings/single-sign-on">
        Back to the settings
      </Link>
    </div>
  );
}

function Refused({ messages, isSignedIn }: { messages: readonly string[]; isSignedIn: boolean }) {
  return (
    <div className="signin" role="alert">
      <h1>{isSignedIn ? 'The test was refused' : 'The sign-in was refused'}</h1>
      {messages.map((message) => (
        <p key={message} className="lead">
          {message}
        </p>
      ))}
      <Link
        className={`${Classes.BUTTON} ${Classes.INTENT_PRIMARY} form-act`}
        to={isSignedIn ? '/settings/single-sign-on' : '/login/single-sign-on'}
      >
        {isSignedIn ? 'Back to the settings' : 'Begin again'}
      </Link>
      {!isSignedIn && (
        <p className="after">
          <Link to="/login">Use your password instead</Link>
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
      <h1>Signing in</h1>
      <SkeletonRows rows={2} rowHeight={24} label="Signing in" />
    </div>
  );
}
