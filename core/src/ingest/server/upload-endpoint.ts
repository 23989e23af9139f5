import type { Static } from 'typebox';
import { AppError, ERROR_CODES, type ErrorCode } from '../../platform/model/app-error.ts';
import type { ReportTools } from '../../platform/model/report-tools.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import { type Caller, callerEndpoint, type Endpoint } from '../../platform/server/endpoint.ts';
import type { JobQueue } from '../../platform/server/jobs.ts';
import { ownedOnly } from '../../platform/server/owned-only.ts';
import type { PlanLimits } from '../../platform/server/plan-limits.ts';
import { type UploadResult, uploadScan } from '../api/routes.ts';
import { IMPORT_JOB } from '../model/import-job.ts';
import { pickTool } from './pick-tool.ts';
import { findUploadTarget } from './queries/find-upload-target.ts';
import { listScans } from './queries/list-scans.ts';
import { storeReport } from './report-store.ts';
import { scanItem } from './scan-item.ts';
import { receiveUpload, requireBranch } from './upload/receive-upload.ts';
import { createSpool, type SpooledReport } from './upload/spool.ts';

export interface UploadDependencies {
  database: DatabaseHandle;
  tools: ReportTools;
  jobs: JobQueue;
  limits: PlanLimits;
  maxReportBytes: number;
}

/** A report that is to be imported. */
export interface ScanOrder {
  clientId: string;
  repositoryId: string;
  userId: string | null;
  report: SpooledReport;
  requestedTool: string;
  toolId: string;
  fileName: string | null;
  /** Null for the default branch. */
  branch?: string | null;
  /** Set where the report holds records that this connector pulled. */
  connectorId?: string;
}

/** Keeps the report and orders its import, in one transaction. @returns the scan's id. */
export const enqueueImport = ({ database, jobs, limits }: UploadDependencies, order: ScanOrder): Promise<string> =>
  database.forClient(order.clientId, async (db) => {
    const { clientId, repositoryId } = order;
    await limits.check(db, { clientId, kind: 'uploads', adding: 1 });
    const reportId = await storeReport(db, clientId, order.report);
    const scan = await db
      .insertInto('scans')
      .values({
        client_id: clientId,
        repository_id: repositoryId,
        report_id: reportId,
        requested_tool: order.requestedTool,
        tool: order.toolId,
        file_name: order.fileName,
        branch: order.branch ?? null,
        connector_id: order.connectorId ?? null,
        created_by: order.userId,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await jobs.enqueue(db, IMPORT_JOB, { clientId, scanId: scan.id }, { singletonKey: scan.id });
    return scan.id;
  });

const POLL_MS = 100;
const ENDED = new Set(['done', 'failed', 'cancelled']);

const isErrorCode = (code: string): code is ErrorCode => code in ERROR_CODES;

/** Waits for the end of an import. @returns what became of it, or what is known when the time is over. @throws the import's own failure. */
const awaitScan = async (
  database: DatabaseHandle,
  clientId: string,
  scanId: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<Static<typeof UploadResult>> => {
  for (const deadline = Date.now() + waitMs; ; ) {
    const [row] = await database.forClient(clientId, (db) =>
      listScans(db, { clientId, onlyOwnedBy: null, id: scanId }, { offset: 0, pageSize: 1 }),
    );
    if (row === undefined) throw new AppError('scan_not_found');
    const { attributes } = scanItem(row);
    if (attributes.status === 'failed') {
      const code = attributes.code !== null && isErrorCode(attributes.code) ? attributes.code : 'internal';
      throw new AppError(code, attributes.detail ?? undefined);
    }
    if (ENDED.has(attributes.status) || Date.now() >= deadline || signal.aborted) {
      const { status, tool, counts, unreadable } = attributes;
      return { scan_id: scanId, status, tool, counts, unreadable };
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

const requireTarget = async (database: DatabaseHandle, caller: Caller, repositoryId: string): Promise<void> => {
  const target = await database.forClient(caller.clientId, (db) =>
    findUploadTarget(db, {
      clientId: caller.clientId,
      repositoryId,
      onlyOwnedBy: ownedOnly(caller),
    }),
  );
  if (target === undefined) throw new AppError('repository_not_found');
};

/** `POST /upload_scan/{id}`. Source: decisions.md "Upload". */
export const uploadEndpoint = (dependencies: UploadDependencies): Endpoint =>
  callerEndpoint(uploadScan)(async ({ caller, params, query, request, reply, signal }) => {
    const { database, tools, maxReportBytes } = dependencies;
    await requireTarget(database, caller, params.id);
    const spool = await createSpool();
    let scanId: string;
    try {
      const upload = await receiveUpload(request, spool, maxReportBytes);
      const { report, fileName } = upload;
      const branch = upload.branch ?? requireBranch(query.branch, ['query', 'branch']) ?? null;
      const tool = pickTool(tools, upload.tool, { ...report, fileName });
      scanId = await enqueueImport(dependencies, {
        clientId: caller.clientId,
        repositoryId: params.id,
        userId: caller.userId,
        report,
        requestedTool: upload.tool,
        toolId: tool.id,
        fileName: fileName ?? null,
        branch,
      });
    } finally {
      await spool.dispose();
    }
    if (query.wait === undefined) return { success: true, data: { scan_id: scanId } };
    const data = await awaitScan(database, caller.clientId, scanId, query.wait * 1000, signal);
    if (data.status === 'done') reply.status(200);
    return { success: true, data };
  });
