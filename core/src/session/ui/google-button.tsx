import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { msg } from '../../platform/model/message.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { isAbort, messagesOf } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { THEME } from '../../platform/ui/page/theme.store.ts';
import { beginGoogle, loginByGoogle } from '../api/google-routes.ts';
import { type GoogleCredential, loadGoogle } from './google-identity.ts';
import { SESSION_STORE } from './session.store.ts';
import './google-button.css';

interface GoogleButtonProps {
  onSignedIn: () => void;
  onCodeWanted: (ticket: string) => void;
}

// no text: settings of Google's button
const BUTTON = { text: 'signin_with', width: 320 } as const;
const NOT_LOADED = msg('Google cannot be reached from this browser. Sign in with your password.');

/** "Sign in with Google": Google draws the button itself, and its answer is verified by the server. */
export const GoogleButton = observer(function GoogleButton({ onSignedIn, onCodeWanted }: GoogleButtonProps) {
  const api = useService(API);
  const session = useService(SESSION_STORE);
  const theme = useService(THEME).isDark ? 'filled_black' : 'outline';
  const place = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<string>();
  // a nonce counts once: after a refusal the next attempt begins anew
  const [attempt, setAttempt] = useState(0);
  const done = useRef({ onSignedIn, onCodeWanted });
  done.current = { onSignedIn, onCodeWanted };
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt begins anew
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const fail = (failure: unknown) => {
      if (signal.aborted || isAbort(failure)) return;
      setError(messagesOf(failure).join(' '));
      setAttempt((count) => count + 1);
    };
    const receive = ({ clientId = '', credential = '' }: GoogleCredential, ownId: string) => {
      if (signal.aborted) return;
      if (credential === '') {
        setError(t('Google sent no credential. Try again, or sign in with your password.'));
        return;
      }
      setError(undefined);
      const body = { clientId: clientId === '' ? ownId : clientId, credential };
      api.call(loginByGoogle, { body, signal }).then((answer) => {
        if ('ticket' in answer) {
          done.current.onCodeWanted(answer.ticket);
          return;
        }
        session.adoptGoogle(answer.data);
        done.current.onSignedIn();
      }, fail);
    };
    const begin = async () => {
      const { data } = await api.call(beginGoogle, { signal });
      const google = await loadGoogle(data.script_url).catch(() => setError(t(NOT_LOADED)));
      if (google === undefined || signal.aborted || place.current === null) return;
      const { client_id, nonce } = data;
      google.accounts.id.initialize({
        client_id,
        nonce,
        ux_mode: 'popup',
        callback: (answer) => receive(answer, client_id),
      });
      google.accounts.id.renderButton(place.current, { theme, size: 'large', ...BUTTON });
    };
    begin().catch((failure: unknown) => {
      if (!isAbort(failure)) setError(messagesOf(failure).join(' '));
    });
    return () => leaving.abort();
  }, [api, session, theme, attempt]);
  return (
    <div className="google-sign-in">
      <p className="or">{t('or')}</p>
      <div ref={place} className="google-place" />
      {error !== undefined && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
    </div>
  );
});
