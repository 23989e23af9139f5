import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { API } from '../../../platform/ui/data/api-client.ts';
import { pathOfExpired } from '../../../platform/ui/data/expired-connection.ts';
import { eventKind, LIVE_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { type ConnectorItem, titleOf } from './connector.ts';
import { ConfettiStore, ConnectorsStore } from './connectors.store.ts';

/** The catalogue of this page, kept true by live events. */
export const useConnectors = (): { store: ConnectorsStore; confetti: ConfettiStore } => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [confetti] = useState(() => new ConfettiStore());
  const [store] = useState(() => new ConnectorsStore(api, confetti));
  useEffect(() => {
    void store.load();
    const stops = [
      events.on(CONNECTION_CHANGED, (data) => void store.refresh(data.connector_id)),
      events.onReconnect(() => void store.load()),
    ];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  return { store, confetti };
};

/** The state of a connection or a switch changed. */
const CONNECTION_CHANGED = eventKind<{ connector_id: string }>('connection.changed');

interface Acts {
  check: (item: ConnectorItem) => Promise<void>;
  sync: (item: ConnectorItem) => Promise<void>;
  release: (item: ConnectorItem) => Promise<void>;
}

/** What the buttons do, with the notice that follows; of a refusal by the server, too. */
export const useConnectionActions = (store: ConnectorsStore): Acts => {
  const toasts = useService(TOASTS);
  const navigate = useNavigate();
  const run = async (item: ConnectorItem, act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      toasts.showError(error);
      const path = pathOfExpired(error, item.attributes.title);
      if (path === undefined) return;
      void store.refresh(item.attributes.id);
      navigate(path);
    }
  };
  return {
    check: (item) =>
      // What the service said stands on the card.
      run(item, async () => {
        await store.check(item);
      }),
    sync: (item) =>
      run(item, async () => {
        await store.sync(item);
        toasts.show(t('{title}: findings are being pulled', { title: titleOf(item.attributes) }), { tone: 'notice' });
      }),
    release: (item) =>
      run(item, async () => {
        await store.release(item);
        toasts.show(t('{title} released from quarantine', { title: titleOf(item.attributes) }), { tone: 'done' });
      }),
  };
};
