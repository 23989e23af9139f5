import type { PostureCheck } from '@breakwater/sdk';
import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import './tables.ts';

/** How one setting stands in the repositories that were read. */
export interface SettingStates {
  check: PostureCheck;
  ok: number;
  at_risk: number;
  /** It could not be seen. */
  unknown: number;
  /** The newest reading that succeeded. */
  readAt: Date;
}

/** How settings stand, by setting. @param onlyOwnedBy of repositories of this user; null for all. Reads repository_posture by client. */
export const countSettingStates = async (
  db: Db,
  { clientId, onlyOwnedBy }: { clientId: string; onlyOwnedBy: string | null },
): Promise<SettingStates[]> => {
  const found = await sql<SettingStates>`
    select a."check", count(*) filter (where a.state = 'ok')::integer as ok,
      count(*) filter (where a.state = 'at-risk')::integer as at_risk,
      count(*) filter (where a.state = 'unknown')::integer as unknown, max(p.read_at) as "readAt"
    from repository_posture p
    join repositories r on r.client_id = p.client_id and r.id = p.repository_id
    cross join lateral jsonb_to_recordset(p.answers) a ("check" text, state text)
    where p.client_id = ${clientId} and p.read_at is not null
      and (${onlyOwnedBy}::uuid is null or r.owner = ${onlyOwnedBy}::uuid)
    group by 1`.execute(db);
  return found.rows;
};
