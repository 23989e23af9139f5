import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll, expect } from 'vitest';

/*
 * Setup file of the component tests. `findBy…` and `waitFor` end after one second by default, which a busy machine exceeds; and files share
 * the document of their worker, so that what a test drew must go with it, and a test that leaves the document elsewhere fails itself.
 */
beforeAll(() => configure({ asyncUtilTimeout: 30_000 }));
afterEach(cleanup);
afterEach(() => expect(window.location.protocol, 'the document went to another address').toBe('http:'));
