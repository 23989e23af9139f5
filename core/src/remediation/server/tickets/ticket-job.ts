import { Type } from 'typebox';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import type { RemediationDeps } from '../source-files.ts';
import { sendDueTickets } from './send-ticket.ts';

/** Sends again what no webhook has taken yet. */
export const deliverTickets = defineJob({
  name: 'remediation.deliver-tickets',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 5 },
  run: ({ remediation, database }: { remediation: RemediationDeps; database: DatabaseHandle }) =>
    sendDueTickets(remediation, database),
});
