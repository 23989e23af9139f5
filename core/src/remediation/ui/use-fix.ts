import { useEffect, useState } from 'react';
import { API } from '../../platform/ui/data/api-client.ts';
import { LIVE_EVENTS } from '../../platform/ui/data/live-events.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { FixStore } from './fix.store.ts';
import { REMEDIATION_CHANGED, REMEDIATION_PROGRESS } from './remediation-events.ts';

/** The fix of a finding, read again whenever anybody changes it. */
export const useFix = (findingId: string): FixStore => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [store] = useState(() => new FixStore(api, findingId));
  useEffect(() => {
    void store.load();
    const stops = [
      events.on(REMEDIATION_CHANGED, ({ finding_id }) => {
        if (finding_id === findingId) store.refresh();
      }),
      events.on(REMEDIATION_PROGRESS, ({ finding_id, ...progress }) => {
        if (finding_id === findingId) store.follow(progress);
      }),
      events.onReconnect(store.refresh),
    ];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events, findingId]);
  return store;
};
