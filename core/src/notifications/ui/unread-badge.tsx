import { makeAutoObservable } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { API, type ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { LIVE_EVENTS } from '../../platform/ui/data/live-events.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { formatCount, formatNumber } from '../../platform/ui/display/formats.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { listNotifications } from '../api/routes.ts';
import { NOTIFICATION_EVENTS } from './events.ts';
import './unread-badge.css';

/** How many notifications wait to be read. */
class UnreadCount {
  count = 0;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(): Promise<void> {
    const query = { status: 'unread', fields: ['date'], pagination: { page: 1, pageSize: 1 } } as const;
    await this.#reading.run(
      (signal) => this.#api.call(listNotifications, { query: { ...query, fields: [...query.fields] }, signal }),
      ({ meta }) => {
        this.count = meta.pagination.total;
      },
      // the number is an extra: the list itself tells what is wrong
      () => {
        this.count = 0;
      },
    );
  }

  dispose(): void {
    this.#reading.dispose();
  }
}

/** How many notifications are unread, inside of the link of the top bar; nothing where there is none. */
export const UnreadBadge = observer(function UnreadBadge() {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [store] = useState(() => new UnreadCount(api));
  useEffect(() => {
    const load = () => void store.load();
    const stops = [...NOTIFICATION_EVENTS.map((kind) => events.on(kind, load)), events.onReconnect(load)];
    load();
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  const { count } = store;
  if (count === 0) return null;
  return (
    <span className="bell-count" title={formatNumber(count)}>
      {formatCount(count)}
      <span className="sr"> {t('unread')}</span>
    </span>
  );
});
