import type { Static } from 'typebox';
import type { ScanAttributes, ScanCounts } from '../api/routes.ts';
import type { ScanRow } from './queries/list-scans.ts';

export const NO_COUNTS: Static<typeof ScanCounts> = {
  total: 0,
  new: 0,
  unchanged: 0,
  reopened: 0,
  closed: 0,
  duplicate: 0,
  suppressed: 0,
  unreadable: 0,
  components: 0,
};

/** A scan as on the wire. */
export const scanItem = (row: ScanRow): { _id: string; attributes: Static<typeof ScanAttributes> } => ({
  _id: row.id,
  attributes: {
    repository_id: row.repository_id,
    tool: row.tool ?? row.requested_tool,
    file_name: row.file_name,
    branch: row.branch,
    status: row.status,
    percentage: row.percentage,
    counts: { ...NO_COUNTS, ...row.counts },
    unreadable: row.unreadable,
    undoes: row.undoes,
    undoable: row.undoable,
    connector: row.connector_id,
    code: row.code,
    detail: row.detail,
    created_by: row.created_by_name,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  },
});
