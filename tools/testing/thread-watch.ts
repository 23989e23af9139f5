import path from 'node:path';
import { setInterval } from 'node:timers';
import { Worker } from 'node:worker_threads';

const BEAT_MS = 500;

/** Looks at this thread from another one. */
export interface ThreadWatch {
  /** What this thread is at from now on, for what is told. */
  at(file: string): void;
}

/** What the other thread gets. */
export interface WatchOrder {
  readonly beats: Int32Array;
  readonly limitMs: number;
}

/**
 * Ends this process where this thread lets nothing else run for as long as the limit, and says at what and where: a loop without pause, in which no time limit
 * of a test can be noticed.
 */
export const watchThread = (limitMs: number): ThreadWatch => {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const workerData: WatchOrder = { beats, limitMs };
  const watcher = new Worker(path.join(import.meta.dirname, 'watching-thread.ts'), {
    workerData,
    execArgv: [],
    env: {},
  });
  watcher.unref();
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  return { at: (file) => watcher.postMessage(file) };
};
