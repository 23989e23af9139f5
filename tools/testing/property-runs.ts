import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How many times more runs of each property than usual: 1, and more in `npm run soak -- properties`. */
    propertyFactor: number;
    /** Nothing runs beside this test, so that how long something takes may be judged. */
    isAlone: boolean;
  }
}

/** Of `npm test`, so that a change is judged by what it changes: what random values find is for the soak. */
const FIXED_SEED = 20_261_122;

const factor = inject('propertyFactor');

/** Setup file: a property that names no number of runs has 100, which is also the base of those that name one. */
fc.configureGlobal({ numRuns: 100 * factor, ...(factor === 1 ? { seed: FIXED_SEED } : {}) });
