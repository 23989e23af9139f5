import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll } from 'vitest';

/*
 * Setup file of the component tests. `findBy…` and `waitFor` end after one second by default, which a busy machine exceeds; and files share
 * the document of their worker, so that what a test drew must go with it.
 */
beforeAll(() => configure({ asyncUtilTimeout: 30_000 }));
afterEach(cleanup);
