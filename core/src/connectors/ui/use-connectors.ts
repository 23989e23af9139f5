import { useEffect, useState } from 'react';
import { API } from '../../platform/ui/api-client.ts';
import { LIVE_EVENTS } from '../../platform/ui/live-events.ts';
import { useService } from '../../platform/ui/services.tsx';
import { ConfettiStore } from './confetti.store.ts';
import { CONNECTION_CHANGED } from './connection-events.ts';
import { ConnectorsStore } from './connectors.store.ts';

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
