import { Type } from 'typebox';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import type { RemediationDeps } from '../source-files.ts';
import { followDueTickets } from './follow-tickets.ts';
import { sendDueTickets } from './send-ticket.ts';

interface Deps {
  remediation: RemediationDeps;
  database: DatabaseHandle;
}

/** Sends again what no ticket system has taken yet. */
export const deliverTickets = defineJob({
  name: 'remediation.deliver-tickets',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 5 },
  run: ({ remediation, database }: Deps) => sendDueTickets(remediation, database),
});

/** Asks ticket systems how tickets stand, and closes those whose finding is mitigated. */
export const followTickets = defineJob({
  name: 'remediation.follow-tickets',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 20 },
  run: ({ remediation, database }: Deps) => followDueTickets(remediation, database),
});
