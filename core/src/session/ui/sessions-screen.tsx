import { Button } from '@blueprintjs/core';
import { Desktop } from '@blueprintjs/icons';
import { useCallback, useEffect, useState } from 'react';
import type { Static } from 'typebox';
import { msg } from '../../platform/model/message.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { isAbort } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { StatusDot, Time } from '../../platform/ui/display/badges.tsx';
import { deviceText } from '../../platform/ui/display/device-text.ts';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { listSessions, type OpenSession, revokeOtherSessions, revokeSession } from '../api/session-routes.ts';
import './sessions.css';

interface SessionItem {
  _id: string;
  attributes: Static<typeof OpenSession>;
}

const UNKNOWN = msg('Unknown program');

const nameOf = (device: string | null): string => (device === null ? t(UNKNOWN) : deviceText(device));

interface RowProps {
  item: SessionItem;
  isBusy: boolean;
  onEnd: (item: SessionItem) => void;
}

function SessionRow({ item, isBusy, onEnd }: RowProps) {
  const { device, address, since, last_seen, is_current } = item.attributes;
  const name = nameOf(device);
  return (
    <li className="session row">
      <Desktop aria-hidden={true} />
      <div className="grow">
        <p>
          <span className="strong">{name}</span> {is_current && <StatusDot tone="ok">{t('This one')}</StatusDot>}
        </p>
        <p className="muted small">
          <Words
            of="{address} · signed in {since} · last seen {seen}"
            address={address ?? t('Unknown address')}
            since={<Time value={since} />}
            seen={<Time value={last_seen} />}
          />
        </p>
      </div>
      {!is_current && (
        <Button
          text={t('Sign out')}
          aria-label={t('Sign out {name}', { name })}
          disabled={isBusy}
          onClick={() => onEnd(item)}
        />
      )}
    </li>
  );
}

const useSessions = () => {
  const api = useService(API);
  const [rows, setRows] = useState<SessionItem[]>();
  const [error, setError] = useState<unknown>();
  const load = useCallback(
    async (signal?: AbortSignal) => {
      setError(undefined);
      try {
        setRows((await api.call(listSessions, signal === undefined ? {} : { signal })).data);
      } catch (failure) {
        if (!isAbort(failure)) setError(failure);
      }
    },
    [api],
  );
  useEffect(() => {
    const leaving = new AbortController();
    void load(leaving.signal);
    return () => leaving.abort();
  }, [load]);
  return { api, rows, error, load };
};

/** `/settings/sessions`: where this person is signed in. */
export function SessionsScreen() {
  const toasts = useService(TOASTS);
  const { api, rows, error, load } = useSessions();
  const [isBusy, setIsBusy] = useState(false);
  const run = async (work: () => Promise<string>) => {
    setIsBusy(true);
    try {
      toasts.show(await work(), { tone: 'done' });
      await load();
    } catch (failure) {
      toasts.showError(failure);
    } finally {
      setIsBusy(false);
    }
  };
  const endOne = (item: SessionItem) =>
    void run(async () => {
      await api.call(revokeSession, { params: { id: item._id } });
      return t('{device} is signed out', { device: nameOf(item.attributes.device) });
    });
  const endOthers = () =>
    void run(async () => {
      const { data } = await api.call(revokeOtherSessions);
      return plural(data.ended, '{count} session signed out', '{count} sessions signed out');
    });
  return (
    <div className="canvas">
      <PageHead title={t('Sessions')}>
        <Button
          text={t('Sign out all others')}
          disabled={isBusy || rows === undefined || rows.length < 2}
          onClick={endOthers}
        />
      </PageHead>
      <div className="page">
        <p className="t2">
          {t('Where you are signed in. If you do not know one, sign it out and change your password.')}
        </p>
        {error !== undefined && (
          <ErrorState title={t('The sessions could not be read')} error={error} onRetry={() => void load()} />
        )}
        {error === undefined && rows === undefined && <SkeletonRows rows={3} rowHeight={60} label={t('Sessions')} />}
        {rows !== undefined && (
          <ul className="sessions bp6-card" aria-label={t('Sessions')}>
            {rows.map((item) => (
              <SessionRow key={item._id} item={item} isBusy={isBusy} onEnd={endOne} />
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
