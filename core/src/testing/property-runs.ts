import fc from 'fast-check';

/** As many runs of a property in `npm test`; `npm run soak -- properties` multiplies them. */
export const propertyRuns = (count: number): number => (count * (fc.readConfigureGlobal().numRuns ?? 100)) / 100;
