import { Button } from '@blueprintjs/core';
import { useCallback, useEffect, useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { LIVE_EVENTS, REPOSITORY_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { StatusDot, type StatusTone, Time } from '../../../platform/ui/display/badges.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { Words } from '../../../platform/ui/language/words.tsx';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import {
  createRepositoryWebhook,
  getRepositoryWebhook,
  type RepositoryWebhook,
  removeRepositoryWebhook,
  type WebhookState,
} from '../../api/webhook-routes.ts';

const STATES: Readonly<Record<WebhookState, { tone: StatusTone; word: string }>> = {
  active: { tone: 'ok', word: msg('Active') },
  failed: { tone: 'bad', word: msg('Failed') },
  none: { tone: 'neutral', word: msg('No webhook') },
};

function WebhookFacts({ webhook }: { webhook: RepositoryWebhook }) {
  const { is_available, state, problem, changed_at, next_at } = webhook;
  return (
    <>
      <p className="row wrap small">
        <StatusDot tone={STATES[state].tone}>{t(STATES[state].word)}</StatusDot>
        {changed_at !== null && (
          <span className="muted">
            <Words of="Since {time}" time={<Time value={changed_at} />} />
          </span>
        )}
      </p>
      {problem !== null && <p className={`wrap-any ${state === 'failed' ? 'err' : 'muted'}`}>{t(problem)}</p>}
      {state === 'failed' && next_at !== null && is_available && (
        <p className="small muted">
          <Words
            of="It is tried again without being asked, next {time}, while the connection works."
            time={<Time value={next_at} />}
          />
        </p>
      )}
      {state === 'active' && (
        <p className="muted">{t('The provider reports pushes and pull requests as they happen.')}</p>
      )}
      {state === 'none' && problem === null && (
        <p className="muted">
          {changed_at === null
            ? t('It is made within a minute once the connection works.')
            : t('It was removed. Pushes are noticed by the schedule alone.')}
        </p>
      )}
    </>
  );
}

/** Reads the webhook now and whenever something of the repository changed, and changes it. */
function useWebhook(repositoryId: string) {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const toasts = useService(TOASTS);
  const [webhook, setWebhook] = useState<RepositoryWebhook>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState<'create' | 'remove'>();
  const [call] = useState(() => new LatestCall());
  const load = useCallback(() => {
    void call.run(
      (signal) => api.call(getRepositoryWebhook, { params: { id: repositoryId }, signal }),
      ({ data }) => {
        setWebhook(data);
        setError(undefined);
      },
      setError,
    );
  }, [api, call, repositoryId]);
  useEffect(() => {
    load();
    const stops = [...REPOSITORY_EVENTS.map((kind) => events.on<unknown>(kind, load)), events.onReconnect(load)];
    return () => {
      for (const stop of stops) stop();
      call.dispose();
    };
  }, [load, events, call]);
  const change = async (what: 'create' | 'remove') => {
    setBusy(what);
    try {
      const route = what === 'create' ? createRepositoryWebhook : removeRepositoryWebhook;
      setWebhook((await api.call(route, { params: { id: repositoryId } })).data);
    } catch (reason) {
      toasts.showError(reason);
    } finally {
      setBusy(undefined);
    }
  };
  return { webhook, error, busy, load, change };
}

interface ActionProps {
  text: string;
  action: 'create' | 'remove';
  busy: 'create' | 'remove' | undefined;
  onChange: (what: 'create' | 'remove') => Promise<void>;
}

function Action({ text, action, busy, onChange }: ActionProps) {
  return (
    <Button
      size="small"
      text={text}
      loading={busy === action}
      disabled={busy !== undefined}
      onClick={() => void onChange(action)}
    />
  );
}

/** The webhook by which the provider of a repository reports pushes, and the ways to make and remove it. */
export function RepositoryWebhookCard({ repositoryId }: { repositoryId: string }) {
  const role = useService(SESSION).user?.role;
  const { webhook, error, busy, load, change } = useWebhook(repositoryId);
  const mayWrite = can(role, 'repositories.write') && webhook?.is_available === true;
  const isNone = webhook?.state === 'none';
  const again = webhook?.state === 'failed' ? t('Try again') : t('Create again');
  return (
    <section className="bp6-card" aria-label={t('Webhook')}>
      <div className="row card-head">
        <h2 className="grow">{t('Webhook')}</h2>
        {mayWrite && <Action text={isNone ? t('Create') : again} action="create" busy={busy} onChange={change} />}
        {mayWrite && !isNone && <Action text={t('Remove')} action="remove" busy={busy} onChange={change} />}
      </div>
      {error !== undefined && <ErrorState title={t('The webhook could not be read')} error={error} onRetry={load} />}
      {webhook === undefined && error === undefined && <SkeletonRows rows={1} rowHeight={34} label={t('Webhook')} />}
      {webhook !== undefined && <WebhookFacts webhook={webhook} />}
    </section>
  );
}
