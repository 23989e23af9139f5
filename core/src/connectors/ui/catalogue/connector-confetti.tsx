import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { t, translated } from '../../../platform/ui/language/translate.ts';
import type { ConfettiStore } from '../data/connectors.store.ts';

/** A burst takes 200 frames, which are 3.3 s on most screens. */
const DURATION_MS = 4_000;

const isStill = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Celebrates a first successful connection once; those who ask for no motion get the words only. */
export const ConnectorConfetti = observer(function ConnectorConfetti({ store }: { store: ConfettiStore }) {
  const { show, connectorTitle } = store;
  useEffect(() => {
    if (!show) return undefined;
    let isOver = false;
    let endBurst = (): void => undefined;
    if (!isStill()) {
      void import('./throw-confetti.ts').then(({ throwConfetti }) => {
        if (!isOver) endBurst = throwConfetti();
      });
    }
    const timer = setTimeout(store.end, DURATION_MS);
    return () => {
      isOver = true;
      endBurst();
      clearTimeout(timer);
    };
  }, [show, store]);
  return (
    <p className="sr" role="status">
      {show &&
        connectorTitle !== undefined &&
        t('{title} is connected for the first time.', { title: translated(connectorTitle) })}
    </p>
  );
});
