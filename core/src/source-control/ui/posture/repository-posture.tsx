import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Static } from 'typebox';
import { findingHref, findingsHref } from '../../../findings/ui/index.ts';
import { msg } from '../../../platform/model/message.ts';
import { can } from '../../../platform/model/permissions.ts';
import { POSTURE_TOOL } from '../../../platform/model/posture-checks.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { eventKind, LIVE_EVENTS, REPOSITORY_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { SeverityBadge, StatusDot, type StatusTone, Time } from '../../../platform/ui/display/badges.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { Words } from '../../../platform/ui/language/words.tsx';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import type { RepositoryPosture as Posture, PostureCheckState } from '../../api/posture-routes.ts';
import { PostureStore, type RequestReading } from './posture.store.ts';
import './posture.css';

type Check = Static<typeof PostureCheckState>;

/** A scan that the server started has come further. */
const PROGRESS = eventKind<{ repository_id: string | null; status: string }>('scan_request.progress');

const STATES: Readonly<Record<Check['state'], { tone: StatusTone; word: string }>> = {
  ok: { tone: 'ok', word: msg('Right') },
  'at-risk': { tone: 'bad', word: msg('Wrong') },
  unknown: { tone: 'neutral', word: msg('Unknown') },
};

function CheckRow({ check }: { check: Check }) {
  const { tone, word } = STATES[check.state];
  const isWrong = check.state === 'at-risk';
  return (
    <li className="posture-check">
      <div className="row wrap">
        <span className="posture-name">{t(check.label)}</span>
        <StatusDot tone={tone}>{t(word)}</StatusDot>
        {isWrong && <SeverityBadge severity={check.severity} />}
      </div>
      <p className="small muted wrap-any">{t(check.detail)}</p>
      {isWrong && <p className="small">{t(check.mitigation)}</p>}
      <p className="row wrap small">
        {check.finding_id !== null && (
          <Link to={findingHref(check.finding_id)}>{t('Finding: {name}', { name: t(check.label) })}</Link>
        )}
        {check.url !== null && (
          <a href={check.url} target="_blank" rel="noreferrer noopener">
            {t('Setting at the provider')}
          </a>
        )}
      </p>
    </li>
  );
}

function Checks({ id, posture }: { id: string; posture: Static<typeof Posture> }) {
  const { checks, is_available, problem, read_at } = posture;
  const wrong = checks.filter(({ state }) => state === 'at-risk').length;
  return (
    <>
      {problem !== null && (
        <p className={is_available ? 'err' : 'muted'}>
          {is_available
            ? t('The settings could not be read. {problem} It is tried again within hours.', { problem: t(problem) })
            : t(problem)}
        </p>
      )}
      {is_available && problem === null && read_at === null && (
        <p className="muted">{t('The settings are read once the connection works, and then every day.')}</p>
      )}
      {read_at !== null && (
        <p className="row wrap small muted">
          <span>
            <Words of="Read {time}" time={<Time value={read_at} />} />
          </span>
          <Link to={findingsHref({ repository: [id], tool: [POSTURE_TOOL] })}>
            {wrong === 0 ? t('Findings') : plural(wrong, '{count} finding', '{count} findings')}
          </Link>
        </p>
      )}
      {checks.length > 0 && (
        <ul className="posture-checks">
          {checks.map((check) => (
            <CheckRow key={check.check} check={check} />
          ))}
        </ul>
      )}
    </>
  );
}

interface RepositoryPostureProps {
  repositoryId: string;
  /** Scans belong to another slice. */
  requestReading: RequestReading;
}

/** What the settings of a repository at its provider say, each with the reason, and the way to its finding. */
export const RepositoryPosture = observer(function RepositoryPosture({
  repositoryId,
  requestReading,
}: RepositoryPostureProps) {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const toasts = useService(TOASTS);
  const role = useService(SESSION).user?.role;
  const [store] = useState(() => new PostureStore(api, repositoryId, requestReading));
  useEffect(() => {
    const reload = () => void store.load();
    reload();
    const stops = [
      ...REPOSITORY_EVENTS.map((kind) => events.on<unknown>(kind, reload)),
      events.on(PROGRESS, ({ repository_id }) => {
        if (repository_id === repositoryId) reload();
      }),
      events.onReconnect(reload),
    ];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events, repositoryId]);
  const { posture, error, isAsking } = store;
  const ask = () =>
    void store.request().then(
      () => toasts.show(t('The settings are being read'), { tone: 'done' }),
      (reason: unknown) => toasts.showError(reason),
    );
  return (
    <section className="bp6-card" aria-label={t('Posture')}>
      <div className="row card-head">
        <h2 className="grow">{t('Posture')}</h2>
        {posture?.is_available === true && can(role, 'scans.upload') && (
          <Button size="small" text={t('Read settings now')} loading={isAsking} onClick={ask} />
        )}
      </div>
      {error !== undefined && (
        <ErrorState title={t('The posture could not be read')} error={error} onRetry={() => void store.load()} />
      )}
      {posture === undefined && error === undefined && <SkeletonRows rows={3} rowHeight={34} label={t('Posture')} />}
      {posture !== undefined && <Checks id={repositoryId} posture={posture} />}
    </section>
  );
});
