import { severityOfRank } from '../../../platform/model/severity.ts';
import type { Db } from '../../../platform/server/database.ts';
import { OPEN_STATUSES } from '../../model/states.ts';
import { countCells } from '../queries/count-cells.ts';
import { resolveFilter } from '../resolve-filter.ts';
import type { Viewer } from '../viewer.ts';

/** Of `GET /findings` with what the page of findings shows when nobody chose anything: the work to do. */
const OPEN = {
  status: [...OPEN_STATUSES],
  false_positive: 'hide',
  accepted_risk: 'hide',
  is_duplicate: 'hide',
} as const;

/** The work to do by severity, as the list of findings counts it. Reads rollups only. */
export const countOpenBySeverity = async (db: Db, viewer: Viewer) => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 };
  const filter = await resolveFilter(db, { viewer, filters: { ...OPEN, status: [...OPEN.status] }, search: '' });
  for (const { value, count } of await countCells(db, filter, 'severity')) counts[severityOfRank(value)] = count;
  return counts;
};
