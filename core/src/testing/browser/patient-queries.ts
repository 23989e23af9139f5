import { configure } from '@testing-library/react';
import { beforeAll } from 'vitest';

/** `findBy…` and `waitFor` end after one second by default, which a busy machine exceeds. Setup file of the component tests. */
beforeAll(() => configure({ asyncUtilTimeout: 30_000 }));
