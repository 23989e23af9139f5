import type { DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import type { Endpoint } from '@breakwater/core/platform/server/endpoint.ts';
import { createAttemptLimiter } from '@breakwater/core/platform/server/limits.ts';
import {
  createPublishedConnectorEndpoints,
  LIVE_TEST_LIMIT,
} from '@breakwater/core/published-connectors/server/index.ts';
import type { Config } from '../config.ts';
import { checkSchema } from '../http/validation.ts';
import { createConformanceRun } from './run-conformance.ts';
import { createLiveTest } from './try-document.ts';

interface Parts {
  config: Config;
  database: DatabaseHandle;
  /** Where attempts are counted. */
  attempts: DatabaseHandle;
}

/** The slice with what it runs in processes of their own. */
export const publishedConnectorEndpoints = ({ config, database, attempts }: Parts): Endpoint[] =>
  createPublishedConnectorEndpoints({
    database,
    conformance: createConformanceRun(),
    liveTest: {
      run: createLiveTest(config),
      attempts: createAttemptLimiter(attempts, LIVE_TEST_LIMIT),
      checkSchema,
    },
  });
