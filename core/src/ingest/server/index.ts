import { sql } from 'kysely';
import { createCorrelationEndpoints } from '../../findings/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { can } from '../../platform/model/permissions.ts';
import type { Db } from '../../platform/server/database.ts';
import {
  type Caller,
  type Endpoint,
  eventsEndpoint,
  ownedOnly,
  streamedFileEndpoint,
  tenantEndpoint,
} from '../../platform/server/endpoint.ts';
import type { ClientEvent, EventBus } from '../../platform/server/events.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import {
  downloadReport,
  getScan,
  listScans as listScansRoute,
  listTools,
  settleClosing,
  streamEvents,
  undoScan,
} from '../api/routes.ts';
import { SAME_ISSUE } from './correlate/correlation-overrides.ts';
import { importReport, requeueKilledImports } from './run/import-job.ts';
import { countScans, listScans, scanItem } from './scans/list-scans.ts';
import { deleteOldReports } from './scans/report-retention.ts';
import { findStoredReport, readStoredReport } from './scans/report-store.ts';
import { enqueueSettlement, enqueueUndo } from './scans/undo-scan.ts';
import { columnMappingEndpoints } from './upload/column-mappings.ts';
import { previewEndpoints } from './upload/preview-endpoint.ts';
import { sampleEndpoints } from './upload/sample-data.ts';
import { type UploadDependencies, uploadEndpoint } from './upload/upload-endpoint.ts';

export { ingestPersonalData } from './personal-data.ts';
export { createImportMetrics, createImportThreads, type ImportJobDeps } from './run/import-job.ts';
export {
  COMMIT_STATUS_JOB,
  CommitStatusInput,
  commitStatusState,
  importsOfCommits,
  requestCommitStatus,
} from './scans/commit-status-request.ts';
export { readImportBacklog } from './scans/import-backlog.ts';
export { importProgress } from './scans/list-scans.ts';
export { importRemovals } from './scans/remove-repository.ts';
export { excludedTools } from './upload/excluded-tools.ts';
export { type ImportedRecord, importRecords, importReportFile } from './upload/import-records.ts';
export { createHeadReader } from './upload/recognise-report.ts';
export { loadSampleData } from './upload/sample-data.ts';
export { removeLeftoverUploads } from './upload/spool.ts';
export type { UploadDependencies } from './upload/upload-endpoint.ts';

export interface IngestDependencies extends UploadDependencies {
  events: EventBus;
}

/** Whether one of these repositories, or the repository of one of these branches, is this user's. Reads primary keys. */
const ownsRepository = async (
  db: Db,
  request: { clientId: string; repositoryOrBranchIds: readonly string[]; userId: string },
): Promise<boolean> => {
  const { clientId, repositoryOrBranchIds, userId } = request;
  const ids = [...repositoryOrBranchIds];
  const { rows } = await sql`
    select from repositories
    where client_id = ${clientId} and owner = ${userId}
      and id in (
        select unnest(${ids}::uuid[])
        union all
        select repository_id from repository_branches where client_id = ${clientId} and id = any(${ids}::uuid[]))
    limit 1
  `.execute(db);
  return rows.length > 0;
};

/** Whether an event is for this caller: a developer hears only of what is theirs. */
const canReceive = async (
  { database }: IngestDependencies,
  caller: Caller,
  { audience }: ClientEvent,
): Promise<boolean> => {
  if (audience === 'everyone') return true;
  if ('permission' in audience) return can(caller.role, audience.permission);
  const { clientId, userId } = caller;
  if (audience.userIds?.includes(userId) === true) return true;
  if (!('repositoryIds' in audience)) return false;
  if (can(caller.role, 'organization.read-all')) return true;
  const repositoryOrBranchIds = audience.repositoryIds;
  return database.forClient(clientId, (db) => ownsRepository(db, { clientId, repositoryOrBranchIds, userId }));
};

const downloadEndpoint = ({ database }: IngestDependencies): Endpoint =>
  streamedFileEndpoint(downloadReport)(async ({ caller, params }) => {
    const { clientId } = caller;
    const scan = await database.forClient(clientId, (db) => findStoredReport(db, { clientId, scanId: params.id }));
    if (scan === undefined)
      throw new AppError('scan_not_found', msg('The report of this scan is not stored any more.'));
    const name = scan.file_name === null ? `${scan.tool}-${params.id}` : scan.file_name.replace(/\.(gz|zip)$/i, '');
    return {
      fileName: name.includes('.') ? name : `${name}.txt`,
      // never what a browser would open as a page
      contentType: 'application/octet-stream',
      content: readStoredReport(database, { clientId, reportId: scan.report_id }),
    };
  });

/** Uploads, their history, and the live events of the organisation. */
export const createIngestEndpoints = (dependencies: IngestDependencies): Endpoint[] => [
  uploadEndpoint(dependencies),
  ...sampleEndpoints(dependencies),
  ...previewEndpoints(dependencies),
  ...columnMappingEndpoints(),
  ...createCorrelationEndpoints(SAME_ISSUE),
  tenantEndpoint(listScansRoute)(async ({ db, caller, query }) => {
    const paging = readPaging(query);
    const filter = {
      clientId: caller.clientId,
      onlyOwnedBy: ownedOnly(caller),
      ...(query.filters?.repository === undefined ? {} : { repositories: query.filters.repository }),
      ...(query.filters?.status === undefined ? {} : { statuses: query.filters.status }),
    };
    const rows = await listScans(db, filter, paging);
    return { data: rows.map(scanItem), meta: pageMeta(await countScans(db, filter), paging) };
  }),
  tenantEndpoint(getScan)(async ({ db, caller, params }) => {
    const filter = { clientId: caller.clientId, onlyOwnedBy: ownedOnly(caller), id: params.id };
    const [row] = await listScans(db, filter, { offset: 0, pageSize: 1 });
    if (row === undefined) throw new AppError('scan_not_found');
    return { data: scanItem(row) };
  }),
  downloadEndpoint(dependencies),
  tenantEndpoint(undoScan)(async ({ db, caller, params, reply, audit }) => {
    audit({ subject: `Import ${params.id}` });
    const { clientId, userId } = caller;
    const scanId = await enqueueUndo(db, dependencies.jobs, { clientId, userId, scanId: params.id });
    reply.status(202);
    return { success: true, data: { scan_id: scanId } };
  }),
  tenantEndpoint(settleClosing)(async ({ db, caller, params, body, reply }) => {
    const { clientId, userId } = caller;
    const scanId = await enqueueSettlement(db, dependencies.jobs, { clientId, userId, scanId: params.id, ...body });
    reply.status(202);
    return { success: true, data: { scan_id: scanId } };
  }),
  tenantEndpoint(listTools)(async ({ db, caller }) => {
    const { tools } = await dependencies.tools.ofClient(db, caller.clientId);
    return {
      data: tools.tools().map(({ id, title, formats, parser }) => {
        const files = (parser.files ?? []).map((file) => ({ name: file.name, title: file.title }));
        return { _id: id, attributes: { title, formats: [...formats], files } };
      }),
    };
  }),
  eventsEndpoint(streamEvents)(async function* ({ caller, signal }) {
    for await (const event of dependencies.events.subscribe(caller.clientId, signal)) {
      if (!(await canReceive(dependencies, caller, event))) continue;
      const data = can(caller.role, 'organization.read-all') ? event.data : (event.partial ?? event.data);
      yield { event: event.type, data };
    }
  }),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const ingestJobs = [importReport, requeueKilledImports, deleteOldReports] as const;
