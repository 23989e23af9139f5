import type { Db } from '../../../platform/server/database.ts';
import { type ClientEvent, publish } from '../../../platform/server/events.ts';
import type { RemediationDeps } from '../source-files.ts';

/** How often others learn how far it is, and the lease is given anew. */
const TICK_MS = 2_000;

interface Held {
  /** Aborted once somebody cancelled the run or took it over. */
  signal: AbortSignal;
  /** How many characters have arrived. */
  onText: (length: number) => void;
  /** The model is asked once more, because of this. */
  onRepair: (problem: string) => void;
}

export interface Progress {
  /** Of the answer, so far. */
  characters: number;
  /** What was wrong with the first answer; null while that is awaited. */
  repaired: string | null;
}

/** A run of some work, as long as nobody takes it away. */
export interface Lease {
  clientId: string;
  /** Gives it its whole time anew. @returns whether the run still has it */
  extend(db: Db): Promise<boolean>;
  /** What others learn of how far it is. */
  eventOf(progress: Progress): Omit<ClientEvent, 'clientId'>;
}

/** Does work that may take longer than a lease: holds the run meanwhile and tells how far it is. */
export const whileHeld = async <T>(
  { database }: Pick<RemediationDeps, 'database'>,
  { clientId, extend, eventOf }: Lease,
  work: (held: Held) => Promise<T>,
): Promise<T> => {
  const abort = new AbortController();
  let progress: Progress = { characters: 0, repaired: null };
  let told: Progress | undefined;
  let isTicking = false;
  const tick = async (): Promise<void> => {
    const now = progress;
    const isHeld = await database.forClient(clientId, async (db) => {
      if (!(await extend(db))) return false;
      if (now !== told) await publish(db, { clientId, ...eventOf(now) });
      return true;
    });
    told = now;
    if (!isHeld) abort.abort();
  };
  const tickOnce = (): void => {
    if (isTicking) return;
    isTicking = true;
    // while the database is away, the lease goes on until it ends; the last write asks for it anyway
    void tick()
      .catch(() => undefined)
      .finally(() => {
        isTicking = false;
      });
  };
  tickOnce();
  const timer = setInterval(tickOnce, TICK_MS);
  try {
    return await work({
      signal: abort.signal,
      onText: (length) => {
        progress = { ...progress, characters: length };
      },
      onRepair: (problem) => {
        progress = { characters: 0, repaired: problem };
      },
    });
  } finally {
    clearInterval(timer);
  }
};
