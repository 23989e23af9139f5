import { startJobQueue } from '../../../../host-server/src/jobs/pg-boss-queue.ts';
import { createLogger } from '../../../../host-server/src/logger.ts';
import { createAppPool } from '../../../../host-server/src/postgres/pool.ts';
import { bulkChange } from '../../findings/server/index.ts';
import { createDatabase } from '../../platform/server/database.ts';
import { requeueStalled } from '../../platform/server/jobs/client-jobs.ts';
import { startJobs } from '../../platform/server/jobs/define-job.ts';

// a process of its own, to be killed: <database>
const [url = ''] = process.argv.slice(2);
const log = createLogger('silent');
await startJobs([bulkChange, requeueStalled([bulkChange])], {
  database: createDatabase(createAppPool(url)),
  jobs: await startJobQueue({ url, log, isAlone: true }),
  log,
});
