import type pg from 'pg';

export interface SettledUndo {
  clientId: string;
  /** Where the findings of the scan are: a repository, or a branch of it. */
  repositoryId: string;
  /** The scan that is taken back. */
  undoes: string;
}

/** What it had closed is open again; the merge calls such "reopened", here it is what it was. Index: findings_identity. */
const RESTORE_STATUS = `
  update findings f set status = e.from_value
  from finding_events e
  where e.client_id = $1 and e.scan_id = $2 and e.kind = 'closed' and f.client_id = $1 and f.id = e.finding_id
    and f.repository_id = $3 and f.status = 'reopened'`;

const OF_SCAN = 'select id from findings where client_id = $1 and repository_id = $3 and first_scan_id = $2';

const FREE_DUPLICATES = `
  update findings set is_duplicate = false, duplicate_of = null, duplicate_certainty = null
  where client_id = $1 and repository_id = $3 and duplicate_of in (${OF_SCAN})`;

const REMOVALS = [
  `delete from correlation_overrides where client_id = $1 and repository_id = $3 and (finding_id in (${OF_SCAN}) or other_id in (${OF_SCAN}))`,
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
  for (const statement of [RESTORE_STATUS, FREE_DUPLICATES, ...REMOVALS]) await client.query(statement, values);
  await client.query(MARK, [clientId, undoes]);
};
