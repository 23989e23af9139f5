import type { Log } from '../../context.ts';
import type { AskHandler } from './host-asks.ts';
import type { IsolationFailure } from './isolation-error.ts';
import type { IsolationLimits } from './isolation-limits.ts';
import { madeError } from './made-errors.ts';
import type { Ask, FromChild } from './messages.ts';

export interface Pulled {
  readonly records: readonly unknown[];
  readonly isEnd: boolean;
}

export interface OpenCallParts {
  readonly asks: AskHandler;
  readonly isStream: boolean;
  readonly signal?: AbortSignal;
  readonly log: Log | undefined;
  /** Milliseconds of its process's clock. */
  clock(): number;
  pull(most: number): void;
  abort(reason: unknown): void;
  closed(isOver: boolean): void;
}

/** Lines of a log that one call may write. */
const MAX_LINES = 1_000;

/** One call that a process has, as its host sees it. It is over by its answer, by `close`, or by the end of its process. */
export class OpenCall {
  readonly #parts: OpenCallParts;
  readonly #value = Promise.withResolvers<unknown>();
  #pulled: PromiseWithResolvers<Pulled> | undefined;
  #asking = 0;
  #lines = 0;
  #isOver = false;
  #isClosed = false;
  #failure: Error | undefined;
  #movedAt: number;
  #toldToStopAt: number | undefined;

  constructor(parts: OpenCallParts) {
    this.#parts = parts;
    this.#movedAt = parts.clock();
    this.#value.promise.catch(() => undefined);
    const { signal } = parts;
    if (signal?.aborted) queueMicrotask(this.#handleAbort);
    else signal?.addEventListener('abort', this.#handleAbort, { once: true });
  }

  readonly #handleAbort = (): void => {
    this.#toldToStopAt = this.#parts.clock();
    this.#parts.abort(this.#parts.signal?.reason);
  };

  get value(): Promise<unknown> {
    return this.#value.promise;
  }

  /** Questions that wait for the host. */
  get asking(): number {
    return this.#asking;
  }

  /** The next records. */
  async pull(most: number): Promise<Pulled> {
    if (this.#failure !== undefined) throw this.#failure;
    const pulled = Promise.withResolvers<Pulled>();
    pulled.promise.catch(() => undefined);
    this.#pulled = pulled;
    this.#movedAt = this.#parts.clock();
    this.#parts.pull(most);
    return pulled.promise;
  }

  take(message: Extract<FromChild, { t: 'value' | 'records' | 'error' | 'log' }>): void {
    this.#movedAt = this.#parts.clock();
    if (message.t === 'log') this.#writeLine(message);
    else if (message.t === 'error') this.fail(madeError(message.error));
    else if (message.t === 'records') {
      this.#isOver = message.isEnd === true;
      const waiting = this.#pulled;
      this.#pulled = undefined;
      waiting?.resolve({ records: message.records, isEnd: this.#isOver });
    } else {
      this.#isOver = true;
      this.#value.resolve(message.value);
      this.close();
    }
  }

  async answer(what: Ask, args: readonly unknown[]): Promise<unknown> {
    this.#asking += 1;
    try {
      return await this.#parts.asks.answer(what, args);
    } finally {
      this.#asking -= 1;
      this.#movedAt = this.#parts.clock();
    }
  }

  now(): number {
    return this.#parts.asks.now();
  }

  fail(error: Error): void {
    this.#failure = error;
    this.#isOver = true;
    this.#value.reject(error);
    this.#pulled?.reject(error);
    this.close();
  }

  /** Why its process must end, if it must. */
  look(now: number, limits: IsolationLimits): IsolationFailure | null {
    if (this.#toldToStopAt !== undefined && now - this.#toldToStopAt > limits.stopMs) return 'unresponsive';
    const { isStream } = this.#parts;
    const isWaitedFor = !isStream || this.#pulled !== undefined;
    const limit = isStream ? limits.recordMs : limits.silentMs;
    return isWaitedFor && this.#asking === 0 && now - this.#movedAt > limit ? 'silent' : null;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts.signal?.removeEventListener('abort', this.#handleAbort);
    this.#parts.asks.close();
    this.#parts.closed(this.#isOver);
  }

  #writeLine({ level, message, facts }: Extract<FromChild, { t: 'log' }>): void {
    const { log } = this.#parts;
    this.#lines += 1;
    if (this.#lines > MAX_LINES || log === undefined) return;
    const write = level === 'debug' ? log.debug : level === 'warn' ? log.warn : log.info;
    const hasFacts = typeof facts === 'object' && facts !== null;
    write(String(message), hasFacts ? JSON.parse(JSON.stringify(facts)) : undefined);
  }
}
