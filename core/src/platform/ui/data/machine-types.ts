/** Carries the types of a machine to XState's `setup`; the value itself is never read. */
export const typesOf = <T extends object>(): T => Object.create(null);
