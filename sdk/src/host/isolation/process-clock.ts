import type { ProcessorTime } from './processor-time.ts';

/** Of the time in which a process only waits for a processor, one part in so many counts all the same, so that every limit ends. */
const WAITING_SHARE = 6;
/** A process that runs counts so many times what it ran: several that loop wait for each other, and none may stay longer by that. */
const RUNNING_FACTOR = 3;
/** Where its host itself came late, what the process said meanwhile is not read yet. */
const MAX_STEP_MS = 1_000;
/** Over which it is judged whether a process takes much. */
const RECENT_STEPS = 4;

/** What passed between two looks at a process, in milliseconds. */
export interface Step {
  readonly elapsed: number;
  /** All its threads together. */
  readonly ran: number;
  /** For a processor. */
  readonly waited: number;
}

/** How much of a step counts towards the limits of the process, in milliseconds. */
export const countedMs = ({ elapsed, ran, waited }: Step): number =>
  Math.min(elapsed, Math.max(elapsed - waited, ran * RUNNING_FACTOR, elapsed / WAITING_SHARE));

/**
 * Milliseconds in which a process could have answered. Limits are of this time, not of a wall clock: on a busy machine a sound process waits
 * seconds for a processor, and is none that hangs.
 */
export class ProcessClock {
  #ms = 0;
  #steppedAt = performance.now();
  #last: ProcessorTime | undefined;
  #recent: number[] = [];

  now(): number {
    return this.#ms + Math.min(performance.now() - this.#steppedAt, MAX_STEP_MS);
  }

  /** Milliseconds that it ran in the last steps. */
  get ranLatelyMs(): number {
    return this.#recent.reduce((sum, one) => sum + one, 0);
  }

  forgetLately(): void {
    this.#recent = [];
  }

  /** @param time what the kernel counts of the process now. Null where that is not known: then all time counts. */
  step(time: ProcessorTime | null): void {
    const at = performance.now();
    const elapsed = Math.min(at - this.#steppedAt, MAX_STEP_MS);
    this.#steppedAt = at;
    if (time === null) {
      this.#ms += elapsed;
      return;
    }
    const last = this.#last?.pid === time.pid ? this.#last : { ranMs: 0, waitedMs: 0 };
    this.#last = time;
    const ran = time.ranMs - last.ranMs;
    const waited = time.waitedMs - last.waitedMs;
    this.#recent.push(ran);
    if (this.#recent.length > RECENT_STEPS) this.#recent.shift();
    this.#ms += countedMs({ elapsed, ran, waited });
  }
}
