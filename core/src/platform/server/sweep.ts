export interface Sweep {
  /** Ends the timer and waits for a look that is under way. */
  stop(): Promise<void>;
}

/**
 * Looks for work at once and then every so often, one look after the other. `look` handles its own errors.
 * Used for what a job queue cannot know: jobs of a dead process, and what time makes due.
 */
export const startSweep = (look: () => Promise<void>, everyMs: number): Sweep => {
  let running = look();
  const timer = setInterval(() => {
    running = running.then(look);
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};
