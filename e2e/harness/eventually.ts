import { expect } from 'vitest';

/** `waitFor` for what changes: asserts until it holds, as long as vitest.config.ts says. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read);
