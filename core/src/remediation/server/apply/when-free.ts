import { setTimeout as pause } from 'node:timers/promises';
import { RunTaken } from '../remediation-store.ts';

const EVERY_MS = 2_000;
/** Longer than the lease of a process that died. */
const PATIENCE_MS = 120_000;

/** For jobs: waits until whoever has the remediation is through with it, or the lease of a dead process has ended. @throws RunTaken after two minutes */
export const whenFree = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RunTaken) || Date.now() > deadline) throw error;
      await pause(EVERY_MS, undefined, { signal });
    }
  }
};
