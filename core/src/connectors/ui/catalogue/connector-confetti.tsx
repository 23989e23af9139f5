import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import type { ConfettiStore } from '../data/connectors.store.ts';

const DURATION_MS = 3_000;

const isStill = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Celebrates a first successful connection once; those who ask for no motion get the words only. */
export const ConnectorConfetti = observer(function ConnectorConfetti({ store }: { store: ConfettiStore }) {
  const { show, connectorTitle } = store;
  useEffect(() => {
    if (!show) return undefined;
    let isOver = false;
    if (!isStill()) {
      void import('./throw-confetti.ts').then(({ throwConfetti }) => {
        if (!isOver) throwConfetti();
      });
    }
    const timer = setTimeout(store.end, DURATION_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [show, store]);
  return (
    <p className="sr" role="status">
      {show && `${connectorTitle} is connected for the first time.`}
    </p>
  );
});
