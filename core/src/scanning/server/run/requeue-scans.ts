import { sql } from 'kysely';
import { Type } from 'typebox';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import { UNFINISHED_STATUSES } from '../../model/scan-requests.ts';
import { removeLeftoverScans } from '../processes/work-folder.ts';
import { requestScheduledScans } from '../requests/automatic-scans.ts';
import { endLease, SCAN_JOB } from '../requests/scan-requests.ts';
import { knownScanners } from './installed-scanners.ts';
import type { ScanJobDeps } from './run-tools.ts';
import '../tables.ts';

const MAX_AT_ONCE = 200;
/** A scan that waits less long has its job on the way. */
const QUEUED_FOR_SECONDS = 15;

/**
 * Takes up scans whose process died, and removes what it left on this machine. A scan whose run lives is in the queue only once, and not claimed
 * twice.
 */
export const requeueScans = defineJob({
  name: 'scans.requeue',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 15 },
  run: async ({ scanning, jobs }: ScanJobDeps) => {
    const { database, dataDirectory, log } = scanning;
    const { claims, count } = await removeLeftoverScans(dataDirectory);
    if (count > 0) log.info({ count }, 'scans of a killed process were ended and removed');
    // its lease need not run out: the process is known to be dead
    for (const claim of claims) await database.forClient(claim.clientId, (db) => endLease(db, claim));
    // index: scan_requests_unfinished
    const left = await database.forIdentity((db) =>
      db
        .selectFrom('scan_requests')
        .select(['client_id', 'id'])
        .where('status', 'in', UNFINISHED_STATUSES)
        .where((when) =>
          when.or([
            when('lease_until', '<', sql<Date>`clock_timestamp()`),
            when.and([
              when('lease_until', 'is', null),
              when('created_at', '<', sql<Date>`clock_timestamp() - make_interval(secs => ${QUEUED_FOR_SECONDS})`),
            ]),
          ]),
        )
        .orderBy('id')
        .limit(MAX_AT_ONCE)
        .execute(),
    );
    for (const { client_id: clientId, id: requestId } of left) {
      await database.forClient(clientId, (db) => jobs.enqueue(db, SCAN_JOB, { clientId, requestId }));
    }
  },
});

/** Asks for the scans that schedules ask for. Without a scanner on this host nothing is asked for: each scan would only say so. */
export const scheduleScans = defineJob({
  name: 'scans.schedule',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 300 },
  run: async ({ scanning, jobs }: ScanJobDeps) => {
    const { database, catalogue, detection, sources, log } = scanning;
    const versions = await detection.versions(knownScanners(catalogue));
    if (versions.size === 0) return;
    const canScan = (sourceControl: string): boolean => sources.disabledReason(sourceControl) === null;
    const count = await requestScheduledScans({ database, jobs, canScan });
    if (count > 0) log.info({ count }, 'scans were asked for by schedule');
  },
});
