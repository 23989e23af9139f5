import { Type } from 'typebox';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import { BULK_KINDS } from '../../model/change.ts';
import { BROKEN_OFF, runBulkJob } from './run-bulk-job.ts';

/** Changes many findings, or takes such a change back. */
export const bulkChange = defineJob({
  name: 'findings-bulk',
  input: Type.Object({ clientId: Type.String(), jobId: Type.String() }),
  key: ({ jobId }) => jobId,
  retry: { limit: 5 },
  progress: { kinds: BULK_KINDS, givenUp: BROKEN_OFF },
  run: ({ database }: { database: DatabaseHandle }, run) => runBulkJob(database, run),
});
