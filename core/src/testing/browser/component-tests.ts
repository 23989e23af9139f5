import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll, expect } from 'vitest';

/*
 * Setup file of the component tests. `findBy…` and `waitFor` end after one second by default, which a busy machine exceeds; and files share
 * the document of their worker, so that what a test drew must go with it, and a test that leaves the document elsewhere fails itself.
 */
beforeAll(() => configure({ asyncUtilTimeout: 30_000 }));
afterEach(cleanup);
// by its name: the types of this file are those of Node
const location = (): object => Object(Reflect.get(globalThis, 'location'));
afterEach(() => expect(Reflect.get(location(), 'protocol'), 'the document went to another address').toBe('http:'));
