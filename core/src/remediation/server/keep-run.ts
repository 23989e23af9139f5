import type { DatabaseHandle } from '../../platform/server/database.ts';
import { extendRuns } from './remediation-store.ts';

/** Four times within a lease. */
const EVERY_MS = 15_000;

/** Does work that may take longer than a lease, which is given anew meanwhile. The last write asks whether the run is still ours. */
export const keepRun = async <T>(
  database: DatabaseHandle,
  run: { clientId: string; runId: string },
  work: () => Promise<T>,
): Promise<T> => {
  const extend = () => database.forClient(run.clientId, (db) => extendRuns(db, run)).catch(() => undefined);
  const timer = setInterval(() => void extend(), EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};
