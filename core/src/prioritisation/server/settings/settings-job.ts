import { Type } from 'typebox';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import { rescoreSettings } from './rescore-settings.ts';

/** Scores all findings of one client with its newest settings. The name is also the kind of the row in `client_jobs`. */
export const applySettings = defineJob({
  name: 'prioritisation.rescore',
  input: Type.Object({ clientId: Type.String() }),
  key: ({ clientId }) => clientId,
  retry: { limit: 5 },
  // an import asked for it, or a job was lost
  ofDue: ({ clientId }) => ({ clientId }),
  run: ({ database }: { database: DatabaseHandle }, { data, signal }) =>
    rescoreSettings(database, data.clientId, signal),
});
