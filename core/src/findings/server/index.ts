import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { listFindingGroups } from '../api/group-routes.ts';
import { getFinding, getFindingHistory, getFindingPlace, listFindings, toggleFalsePositive } from '../api/routes.ts';
import { readFinding } from './detail/read-finding.ts';
import { readHistory } from './detail/read-history.ts';
import { slaEndpoints } from './due/sla-endpoints.ts';
import { tellOfDueDates } from './due/tell-due.ts';
import { viewerOf } from './filter/viewer.ts';
import { readFindingsPage, readGroupsPage } from './list/finding-queries.ts';
import { readPlaceInList } from './list/place-in-list.ts';
import { checkRollupsNightly } from './rollups/check-job.ts';
import { columnsEndpoints } from './saved-views/columns.ts';
import { savedFiltersEndpoints } from './saved-views/saved-filters-endpoints.ts';
import { bulkChange } from './verdicts/bulk-job.ts';
import { expireAcceptedRisks } from './verdicts/expire-verdicts.ts';
import { toggleVerdict } from './verdicts/undo-changes.ts';
import '../../repositories/server/index.ts';
import './tables.ts';

export { toolLabel } from '../model/labels.ts';
export { filteredCounts, isCountedByDay } from './counts/count-filtered.ts';
export { countOpenBySeverity } from './counts/count-segments.ts';
export { createFilterEndpoints } from './counts/filter-endpoints.ts';
export { type ReportedFamily, readReportedFamilies } from './counts/reported-families.ts';
export {
  type CorrelationOverrides,
  createCorrelationEndpoints,
  type Decision,
} from './detail/correlation-endpoints.ts';
export {
  type FixFacts,
  readFixFacts,
  readFixFactsOfFile,
  readManyFixFacts,
  readRelatedFixFacts,
} from './detail/fix-facts.ts';
export { createExportEndpoints } from './exports/export-endpoints.ts';
export { cellConditions, countedCells } from './filter/cells.ts';
export { allOf } from './filter/conditions.ts';
export { readUsernames } from './filter/names.ts';
export { setPlannerHints } from './filter/planner-hints.ts';
export {
  type FindingsRequest,
  isNarrowed,
  needsRows,
  type ResolvedFilter,
  readSlaRules,
  resolveFilter,
  rowConditionsOf,
} from './filter/resolve-filter.ts';
export { ownedRepositories, type Viewer, viewerOf } from './filter/viewer.ts';
export { readFindingsPage } from './list/finding-queries.ts';
export {
  describeFixGroups,
  type FixCandidate,
  readFixCandidates,
  readFixFindings,
} from './list/fix-candidates.ts';
export { createManagedFindingsEndpoints } from './managed-endpoints.ts';
export { findingPersonalData } from './personal-data.ts';
export { removeRepository } from './remove-repository.ts';
export { createRollupMetrics, type RollupMetrics, readRollupCheck } from './rollups/check-job.ts';
export { checkRollups, rebuildRollups } from './rollups/check-rollups.ts';
export { handOverViews } from './saved-views/hand-over-views.ts';
export { createAssignmentEndpoints } from './verdicts/assignments.ts';
export { bulkChange, handOverFindings } from './verdicts/bulk-job.ts';
export { followRemediation } from './verdicts/decide.ts';
export { lockFindings } from './verdicts/stored-decisions.ts';
export { createVerdictEndpoints } from './verdicts/verdict-endpoints.ts';

/** The list of findings, its groups, and the page of one finding. */
export const createFindingsEndpoints = (): Endpoint[] => [
  ...columnsEndpoints(),
  ...savedFiltersEndpoints(),
  ...slaEndpoints(),
  tenantEndpoint(listFindings)(({ db, caller, query }) => readFindingsPage(db, viewerOf(caller), query)),
  // before /findings/{id}, which would take "groups" for an id
  tenantEndpoint(listFindingGroups)(({ db, caller, query }) => readGroupsPage(db, viewerOf(caller), query)),
  tenantEndpoint(getFinding)(async ({ db, caller, params }) => ({
    data: await readFinding(db, { viewer: viewerOf(caller), id: params.id }),
  })),
  tenantEndpoint(getFindingPlace)(async ({ db, caller, params, query: { filters = {}, search = '' } }) => ({
    data: await readPlaceInList(db, { viewer: viewerOf(caller), filters, search, id: params.id }),
  })),
  tenantEndpoint(toggleFalsePositive)(async ({ db, caller, params, body }) => {
    const request = { viewer: viewerOf(caller), id: params.id };
    const toggle = { isFalsePositive: body.is_false_positive, reason: body.reason };
    const change_id = await toggleVerdict(db, { ...request, toggle });
    return { data: await readFinding(db, request), meta: { change_id } };
  }),
  tenantEndpoint(getFindingHistory)(async ({ db, caller, params }) => ({
    data: await readHistory(db, { viewer: viewerOf(caller), id: params.id }),
  })),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const findingJobs = [bulkChange, expireAcceptedRisks, tellOfDueDates, checkRollupsNightly] as const;
