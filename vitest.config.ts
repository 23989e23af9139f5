import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { FileOrder } from './tools/testing/file-order.ts';

/** All four kinds: what changes is polled for longer than Vitest's one second; time limits allow for a busy machine. */
const PATIENT = {
  expect: { poll: { timeout: 120_000, interval: 50 } },
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

/**
 * A worker loads modules once instead of once a file, which saves a third of the time. So a test restores what it replaces; mocks
 * alone are restored after each file anyway.
 */
const SHARED_MODULES = { isolate: false };

const WATCHED = 'tools/testing/blocked-thread.ts';

const PROPERTIES = {
  setupFiles: [WATCHED, 'tools/testing/property-runs.ts'],
  provide: { propertyFactor: Number(process.env['BREAKWATER_PROPERTY_FACTOR'] ?? 1) },
};

/** Four kinds of test: pure and server code in Node, database suites with one server, components in happy-dom, journeys in Chromium. */
export default defineConfig({
  test: {
    reporters: ['default'],
    // Many tests wait for a server or a database; Vitest's own choice leaves one of two cores idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: FileOrder },
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          ...PATIENT,
          ...SHARED_MODULES,
          ...PROPERTIES,
          provide: { ...PROPERTIES.provide, isAlone: process.env['BREAKWATER_ALONE'] === '1' },
          // Processes without a browser mostly wait, so they run beside others.
          include: ['{sdk,core,plugins,host-server,tools,app,cli,benchmarks,e2e/processes}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/__fixtures__/**', '**/*.db.test.ts'],
        },
      },
      {
        test: {
          name: 'database',
          environment: 'node',
          ...PATIENT,
          ...SHARED_MODULES,
          ...PROPERTIES,
          provide: { ...PROPERTIES.provide, importsAllSamples: process.env['BREAKWATER_ALL_SAMPLES'] === '1' },
          include: ['{core,host-server,cli,tools,benchmarks}/**/*.db.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['tools/testing/global-setup.ts'],
        },
      },
      {
        test: {
          name: 'dom',
          environment: 'happy-dom',
          ...PATIENT,
          ...SHARED_MODULES,
          setupFiles: [WATCHED, 'core/src/testing/browser/component-tests.ts'],
          include: ['{core,app}/**/*.test.tsx'],
          exclude: ['**/node_modules/**'],
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          ...PATIENT,
          // a look by the roles of a page costs the browser 10 ms
          expect: { poll: { ...PATIENT.expect.poll, interval: 100 } },
          ...SHARED_MODULES,
          include: ['e2e/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'e2e/processes/**'],
          globalSetup: ['tools/testing/global-setup.ts', 'e2e/global-setup.ts'],
          setupFiles: [WATCHED, 'e2e/show-failed-pages.ts'],
        },
      },
    ],
  },
});
