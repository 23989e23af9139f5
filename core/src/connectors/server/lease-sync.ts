import { gateOf } from '@breakwater/sdk';
import type { ConnectionPlace } from '../model/connector-jobs.ts';
import { lockConnection } from './advance-connection.ts';
import type { ConnectionsDeps } from './deps.ts';
import { leaseFacts } from './start-check.ts';

/** A sync that has begun; `finishRun` ends it with DONE or FAIL. */
export interface SyncRun extends ConnectionPlace {
  runId: string;
  /** Where the last one stopped; null from the beginning. */
  cursor: string | null;
}

type Deps = Pick<ConnectionsDeps, 'database'>;

/** Begins a sync, or takes one whose process died. @returns null where none may run: not connected, switched off, or under way. */
export const beginSync = (deps: Deps, place: ConnectionPlace, leaseMs: number): Promise<SyncRun | null> =>
  deps.database.forClient(place.clientId, async (db) => {
    const conn = await lockConnection(db, place);
    const facts = leaseFacts(leaseMs);
    const run = { ...place, runId: facts.run_id, cursor: conn.record.syncCursor };
    if (conn.state === 'syncing') {
      const isFree = conn.record.runUntil === null || conn.record.runUntil <= new Date();
      if (!isFree || gateOf(conn.record.stored) !== 'open') return null;
      await conn.note(facts);
      return run;
    }
    return (await conn.send({ type: 'SYNC' }, { facts })) ? run : null;
  });

/** Keeps the lease, and the cursor that was reached. @returns false where the connection was taken from this run: stop then. */
export const extendSync = (
  deps: Deps,
  run: SyncRun,
  { leaseMs, cursor }: { leaseMs: number; cursor?: string | null },
): Promise<boolean> =>
  deps.database.forClient(run.clientId, async (db) => {
    const conn = await lockConnection(db, run);
    if (conn.state !== 'syncing' || conn.record.runId !== run.runId) return false;
    const run_until = new Date(Date.now() + leaseMs);
    await conn.note({ run_until, ...(cursor === undefined ? {} : { sync_cursor: cursor }) });
    return true;
  });
