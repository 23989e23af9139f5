import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How many times more runs of each property than usual: 1, and more in `npm run soak -- properties`. */
    propertyFactor: number;
  }
}

/** Setup file: a property that names no number of runs has 100, which is also the base of those that name one. */
fc.configureGlobal({ numRuns: 100 * inject('propertyFactor') });
