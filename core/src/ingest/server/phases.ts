/** Milliseconds that the parts of an import took, in their order. */
export type Phases = Record<string, number>;

/** A stop-watch: each mark ends a part. */
export const createPhases = (): { phases: Phases; mark: (name: string) => void } => {
  const phases: Phases = {};
  let last = performance.now();
  return {
    phases,
    mark: (name) => {
      const now = performance.now();
      phases[name] = Math.round((phases[name] ?? 0) + now - last);
      last = now;
    },
  };
};
