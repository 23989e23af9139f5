import { Spinner } from '@blueprintjs/core';
import { LogIn } from '@blueprintjs/icons';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { API, type ApiClient } from '../../platform/ui/data/api-client.ts';
import { ApiError, messagesOf } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { EmptyState } from '../../platform/ui/feedback/placeholders.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { PageError } from '../../shell/ui/routing/guards.ts';
import { exchangeToken } from '../api/routes.ts';

/** What services send people back with; everything else in the address is left alone. */
const FIELDS = ['code', 'state', 'error', 'error_description', 'installation_id', 'setup_action'] as const;

const exchange = (api: ApiClient, provider: string, params: URLSearchParams) => {
  const given = FIELDS.flatMap((name) => {
    const value = params.get(name);
    return value === null ? [] : [[name, value.slice(0, 4000)] as const];
  });
  return api.call(exchangeToken, { body: { provider, ...Object.fromEntries(given) } });
};

const cardOf = (connector: string): string => `/connector/providers?open=${encodeURIComponent(connector)}`;

/** Where services send people back to: what they brought goes to the server, once, and the card shows what came of it. */
export function CallbackScreen() {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const navigate = useNavigate();
  const { connector = '' } = useParams();
  const [params] = useSearchParams();
  const [error, setError] = useState<unknown>();
  const isSent = useRef(false);
  useEffect(() => {
    // A code is good for one request, and React runs an effect twice in development.
    if (isSent.current) return;
    isSent.current = true;
    exchange(api, connector, params).then(
      ({ data }) => {
        if (data.state === 'connected') toasts.show(t('Signed in and connected'), { tone: 'done' });
        navigate(cardOf(data.connector), { replace: true });
      },
      (reason: unknown) => setError(reason),
    );
  }, [api, toasts, navigate, connector, params]);
  if (error instanceof ApiError && error.code === 'connector_not_found') {
    throw new PageError(404, t('SCM callback not found'));
  }
  return (
    <div className="canvas">
      <PageHead title={t('Signing in')} />
      {error === undefined ? (
        <div className="page row" role="status">
          <Spinner size={20} aria-label={t('Signing in')} />
          <p className="t2">{t('The sign-in is being finished. This takes a few seconds.')}</p>
        </div>
      ) : (
        <div role="alert">
          <EmptyState
            icon={<LogIn size={20} />}
            title={t('The sign-in came to nothing')}
            actions={
              <Link
                className="bp6-button bp6-intent-primary"
                to={`/connector?source_control=${encodeURIComponent(connector)}`}
              >
                {t('Back to the connector')}
              </Link>
            }
          >
            {messagesOf(error).join(' ')}
          </EmptyState>
        </div>
      )}
    </div>
  );
}
