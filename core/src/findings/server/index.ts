import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import '../../repositories/server/index.ts';
import { getFinding, getFindingHistory, listFindings, toggleFalsePositive } from '../api/routes.ts';
import { columnsEndpoints } from './columns/columns-endpoints.ts';
import { readFindingsPage } from './finding-queries.ts';
import { readFinding } from './read-finding.ts';
import { readHistory } from './read-history.ts';
import { savedFiltersEndpoints } from './saved-filters/saved-filters-endpoints.ts';
import { slaEndpoints } from './sla/endpoints.ts';
import { toggleVerdict } from './toggle-false-positive.ts';
import { viewerOf } from './viewer.ts';
import './tables.ts';

export { createAssignmentEndpoints } from './assignments/endpoints.ts';
export { cellConditions, countedCells } from './cells.ts';
export { createExportEndpoints } from './exports/export-endpoints.ts';
export { allOf } from './filter-conditions.ts';
export { createFilterEndpoints } from './filter-endpoints.ts';
export { createManagedFindingsEndpoints } from './managed/managed-endpoints.ts';
export { countOpenBySeverity } from './managed/open-by-severity.ts';
export { narrowedCounts } from './queries/count-narrowed.ts';
export { setPlannerHints } from './queries/set-planner-hints.ts';
export {
  type FindingsRequest,
  isNarrowed,
  type NarrowedFilter,
  needsRows,
  resolveFilter,
  rowConditionsOf,
} from './resolve-filter.ts';
export { isCountedByDay } from './rolled-up-rows.ts';
export { createSameIssueEndpoints, type Decision, type SameIssueDecisions } from './same-issue-endpoints.ts';
export { startBulkWork } from './verdicts/bulk-job.ts';
export { createVerdictEndpoints } from './verdicts/endpoints.ts';
export { startVerdictSweep } from './verdicts/expire-verdicts.ts';
export { ownedRepositories, type Viewer, viewerOf } from './viewer.ts';

/** The list of findings, its filters, and the page of one finding. */
export const createFindingsEndpoints = (): Endpoint[] => [
  ...columnsEndpoints(),
  ...savedFiltersEndpoints(),
  ...slaEndpoints(),
  tenantEndpoint(listFindings)(({ db, caller, query }) => readFindingsPage(db, viewerOf(caller), query)),
  tenantEndpoint(getFinding)(async ({ db, caller, params }) => ({
    data: await readFinding(db, { viewer: viewerOf(caller), id: params.id }),
  })),
  tenantEndpoint(toggleFalsePositive)(async ({ db, caller, params, body }) => {
    const request = { viewer: viewerOf(caller), id: params.id };
    const change_id = await toggleVerdict(db, { ...request, reason: body.reason });
    return { data: await readFinding(db, request), meta: { change_id } };
  }),
  tenantEndpoint(getFindingHistory)(async ({ db, caller, params }) => ({
    data: await readHistory(db, { viewer: viewerOf(caller), id: params.id }),
  })),
];
