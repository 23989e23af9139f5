import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { Verdict } from '../../model/states.ts';

export interface VerdictChange {
  clientId: string;
  id: string;
  actor: string;
  from: Verdict;
  to: Verdict;
  reason: string | null;
}

/** Sets the verdict of one finding with its reason and writes it down. Rollups follow by trigger. */
export const writeVerdict = async (db: Db, change: VerdictChange): Promise<void> => {
  const { clientId, id } = change;
  await sql`
    with finding as (
      update findings set verdict = ${change.to}, verdict_expires_at = null where client_id = ${clientId} and id = ${id}
    ),
    detail as (
      update finding_details set verdict_reason = ${change.reason} where client_id = ${clientId} and finding_id = ${id}
    )
    insert into finding_events (client_id, finding_id, kind, at, actor, from_value, to_value, reason)
    values (${clientId}, ${id}, 'verdict', clock_timestamp(), ${change.actor}, ${change.from}, ${change.to}, ${change.reason})`.execute(
    db,
  );
};
