import { Type } from 'typebox';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';
import { addClientJob } from '../../../platform/server/jobs/client-jobs.ts';
import { defineJob, type JobQueue } from '../../../platform/server/jobs/define-job.ts';
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

/** When somebody leaves, their findings go to another person or to nobody, by a job that their history shows and that can be undone. */
export const handOverFindings =
  (jobs: Pick<JobQueue, 'enqueue'>) =>
  async (db: Db, request: { caller: Caller; from: { id: string }; to: string | null }): Promise<void> => {
    const { caller, from, to } = request;
    const { clientId, userId: actor } = caller;
    const input = { handover: { from: from.id, to } };
    // how many they are is found by the job
    const jobId = await addClientJob(db, { clientId, kind: 'findings.change', actor, input, total: 0 });
    await jobs.enqueue(db, bulkChange, { clientId, jobId });
  };
