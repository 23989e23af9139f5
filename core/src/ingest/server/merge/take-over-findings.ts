import type pg from 'pg';
import { countRepeatedIn, IS_REPEATED, OF_TARGET } from './choose-scope.ts';

const DROP_SCOPE = 'delete from scan_scopes where client_id = $1 and id = $2';
const NAME_PART = 'update scan_scopes set target = $3, part = $4 where client_id = $1 and id = $2';

/** Of other parts only what is closed there: they closed each other's findings while the part was not known. */
const MOVE_FINDINGS = `
  update findings moved set scope_id = $6
  from (
    select distinct on (f.identity, f.ordinal) f.id
    from scan_scopes s
    join findings f on f.client_id = s.client_id and f.scope_id = s.id
    where ${OF_TARGET} and s.id <> $6 and (s.part = '' or f.status = 'mitigated') and ${IS_REPEATED}
    order by f.identity, f.ordinal, s.part <> '', f.id
  ) chosen
  where moved.client_id = $1 and moved.id = chosen.id`;
/** A scope that was never seen is taken to have no findings. */
const SET_SEEN = `
  update scan_scopes new set last_seen_at = (select max(s.last_seen_at) from scan_scopes s where ${OF_TARGET} and s.id <> $6)
  where new.client_id = $1 and new.id = $6`;
const MOVE_COMPONENTS = `
  update components c set scope_id = $3
  where c.client_id = $1 and c.scope_id = $2 and c.digest in (select digest from stage_components)`;

export interface TakeOver {
  clientId: string;
  /** Client, repository, ids of the importer, target and branch. */
  scope: unknown[];
  /** The new scope. */
  id: number;
  /** The scope of the same target that findings without a known part stand in. */
  before: number | undefined;
  key: string;
  part: string;
  isSplit: boolean;
}

/**
 * Findings that were imported before the part was known go into the new scope with their verdicts and history: all of them where the
 * report repeats at least half (the part is new, the scan is not), else those that it has. @returns the scope to go on with.
 */
export const takeOverFindings = async (client: pg.ClientBase, request: TakeOver): Promise<number> => {
  const { clientId, before, id, key, part, isSplit, scope } = request;
  if (before !== undefined && !isSplit) {
    const { open, repeated } = await countRepeatedIn(client, clientId, before);
    if (repeated > 0 && repeated * 2 >= open) {
      await client.query(DROP_SCOPE, [clientId, id]);
      await client.query(NAME_PART, [clientId, before, key, part]);
      return before;
    }
  }
  const moved = await client.query(MOVE_FINDINGS, [...scope, id]);
  if ((moved.rowCount ?? 0) > 0) await client.query(SET_SEEN, [...scope, id]);
  if (before !== undefined) await client.query(MOVE_COMPONENTS, [clientId, before, id]);
  return id;
};
