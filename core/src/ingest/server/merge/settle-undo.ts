import type pg from 'pg';

export interface SettledUndo {
  clientId: string;
  /** Where the findings of the scan are: a repository, or a branch of it. */
  repositoryId: string;
  /** The scan that is taken back. */
  undoes: string;
}

/**
 * What it had closed is open again, whether the report before has it or was about something else; the merge calls such "reopened", here it
 * is what it was. Index: findings_identity.
 */
const RESTORE_STATUS = `
  update findings f set status = e.from_value, closed_at = null, last_seen = null
  from finding_events e
  where e.client_id = $1 and e.scan_id = $2 and e.kind = 'closed' and f.client_id = $1 and f.id = e.finding_id
    and f.repository_id = $3 and f.status in ('reopened', 'mitigated')`;

/** What it had carried over by position stands again where a person decided about it. */
const UNMARK_VERDICTS = `
  with carried_over as (
    update findings f set needs_confirmation = false
    from finding_events e
    where e.client_id = $1 and e.scan_id = $2 and e.kind = 'verdict' and e.from_value = e.to_value
      and f.client_id = $1 and f.id = e.finding_id and f.repository_id = $3 and f.needs_confirmation
    returning f.id, f.verdict
  )
  insert into finding_events (client_id, finding_id, kind, from_value, to_value, reason)
  select distinct $1::uuid, id, 'verdict', verdict, verdict, 'The scan that had carried it over was undone' from carried_over`;

const OF_SCAN = 'select id from findings where client_id = $1 and repository_id = $3 and first_scan_id = $2';

const FREE_DUPLICATES = `
  update findings set is_duplicate = false, duplicate_of = null, duplicate_certainty = null
  where client_id = $1 and repository_id = $3 and duplicate_of in (${OF_SCAN})`;

const REMOVALS = [
  `delete from correlation_overrides where client_id = $1 and repository_id = $3 and (finding_id in (${OF_SCAN}) or other_id in (${OF_SCAN}))`,
  `delete from finding_locations where client_id = $1 and finding_id in (${OF_SCAN})`,
  `delete from finding_details where client_id = $1 and finding_id in (${OF_SCAN})`,
  `delete from finding_events where client_id = $1 and finding_id in (${OF_SCAN})`,
  'delete from findings where client_id = $1 and repository_id = $3 and first_scan_id = $2',
];

const MARK = `
  update scans set status = 'cancelled', detail = 'Undone.' where client_id = $1 and id = $2`;

/** After the report before was merged again: removes what the undone scan had brought. Same transaction. */
export const settleUndo = async (
  client: pg.ClientBase,
  { clientId, undoes, repositoryId }: SettledUndo,
): Promise<void> => {
  const values = [clientId, undoes, repositoryId];
  for (const statement of [RESTORE_STATUS, UNMARK_VERDICTS, FREE_DUPLICATES, ...REMOVALS])
    await client.query(statement, values);
  await client.query(MARK, [clientId, undoes]);
};

/** Findings that the scan took over from the scope without a part, where that is still there and has not got them anew. */
const RETURN_FINDINGS = `
  update findings f set scope_id = b.id
  from scan_scopes s
  join scan_scopes b on b.client_id = s.client_id and b.repository_id = s.repository_id and b.tool = any($4::text[]) and b.part = ''
    and b.branch_id is not distinct from s.branch_id and s.target = ltrim(left(b.target, 350) || ' part:' || s.part)
  where s.client_id = $1 and s.id = $2 and s.part <> '' and f.client_id = s.client_id and f.scope_id = s.id and f.first_scan_id <> $3
    and not exists (
      select 1 from findings o where o.client_id = f.client_id and o.scope_id = b.id and o.identity = f.identity
    )`;

/** Before the only import of a part is taken back: what it took over from the scope without a part goes back there. */
export const returnTakenOver = async (
  client: pg.ClientBase,
  {
    clientId,
    toolIds,
    scopeId,
    undoes,
  }: { clientId: string; toolIds: readonly string[]; scopeId: number; undoes: string },
): Promise<void> => {
  await client.query(RETURN_FINDINGS, [clientId, scopeId, undoes, toolIds]);
};
