import { expect } from 'vitest';

/** `waitFor` for what changes: asserts until it holds. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000, interval: 100 });
