import { runInAction } from 'mobx';
import { isAbort } from './api-error.ts';

/** A reading of which only the last one counts: the next call gives up the one before, and nobody hears of it again. */
export class LatestCall {
  #abort = new AbortController();

  /** What comes is taken, what goes wrong is told, each as one MobX action; neither when it was given up meanwhile. */
  async run<T>(
    read: (signal: AbortSignal) => Promise<T>,
    take: (answer: T) => void,
    fail: (error: unknown) => void,
  ): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    try {
      const answer = await read(signal);
      if (!signal.aborted) runInAction(() => take(answer));
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) runInAction(() => fail(error));
    }
  }

  /** Gives up what is under way. It may be used again: React mounts a screen twice in development. */
  dispose(): void {
    this.#abort.abort();
  }
}
