import type { ChildProcess } from 'node:child_process';

export interface SupervisedOptions {
  /** How long it may take to stop in order; 20 s by default. */
  stopMs?: number;
  log?: (line: string) => void;
}

export interface Supervised {
  /** Ends when the server was stopped, or does not come up again after it ended unasked. */
  stopped: Promise<void>;
  /** In order (SIGINT); at once (SIGQUIT) where that takes too long. Nothing committed is lost either way. Source: PostgreSQL, "Shutting Down the Server". */
  stop(): Promise<void>;
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => (hasEnded(child) ? resolve() : child.once('exit', () => resolve())));

/** Until its processes have noticed that their parent is gone, the next one does not come up. */
const RESTART_TRIES = 20;
const RESTART_PAUSE_MS = 500;
/** Ended more often than this, it would not stay up either. */
const MAX_RESTARTS = 5;
const RESTARTS_COUNT_FOR_MS = 10 * 60_000;
const STOP_MS = 20_000;

const startAgain = async (start: () => Promise<ChildProcess>): Promise<ChildProcess> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (attempt === RESTART_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RESTART_PAUSE_MS));
    }
  }
};

/** Starts the server again, at the same address, when it ends unasked: killed by somebody, or for memory. */
export const superviseServer = (
  first: ChildProcess,
  start: () => Promise<ChildProcess>,
  { log, stopMs = STOP_MS }: SupervisedOptions,
): Supervised => {
  let child = first;
  let isStopping = false;
  let restarts: number[] = [];
  const keepRunning = async (): Promise<void> => {
    for (;;) {
      await ended(child);
      restarts = [...restarts.filter((at) => at > Date.now() - RESTARTS_COUNT_FOR_MS), Date.now()];
      if (isStopping || restarts.length > MAX_RESTARTS) return;
      log?.(`PostgreSQL ended unasked (${child.signalCode ?? child.exitCode}); it is started again.`);
      child = await startAgain(start);
      // asked to stop while it came up
      if (isStopping) child.kill('SIGINT');
    }
  };
  const stopped = keepRunning().catch((error: unknown) => log?.(`PostgreSQL does not come up again: ${String(error)}`));
  return {
    stopped,
    stop: async () => {
      isStopping = true;
      if (!hasEnded(child)) child.kill('SIGINT');
      const timer = setTimeout(() => {
        log?.(`PostgreSQL did not stop in ${stopMs} ms; it is ended at once, and recovers at its next start.`);
        child.kill('SIGQUIT');
      }, stopMs);
      await stopped;
      clearTimeout(timer);
    },
  };
};
