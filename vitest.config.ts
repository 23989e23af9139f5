import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What changes is waited for; Vitest's own second is over before a busy machine has answered. */
const PATIENT = { poll: { timeout: 30_000, interval: 100 } };

/** Four kinds of test: pure and server code in Node, database suites with one server, components in happy-dom, journeys in Chromium. */
export default defineConfig({
  test: {
    reporters: ['default'],
    // Many tests wait for a server or a database; Vitest's own choice leaves one of two cores idle.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          expect: PATIENT,
          // Processes without a browser mostly wait, so they run beside others.
          include: ['{sdk,core,plugins,host-server,tools,app,benchmarks,e2e/processes}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/__fixtures__/**', '**/*.db.test.ts'],
          // Generous everywhere: a busy machine is no fault of the code.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'database',
          environment: 'node',
          expect: PATIENT,
          include: ['{core,host-server,tools,benchmarks}/**/*.db.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['tools/testing/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'dom',
          environment: 'happy-dom',
          expect: PATIENT,
          include: ['{core,app}/**/*.test.tsx'],
          exclude: ['**/node_modules/**'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          expect: PATIENT,
          include: ['e2e/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'e2e/processes/**'],
          globalSetup: ['tools/testing/global-setup.ts', 'e2e/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
