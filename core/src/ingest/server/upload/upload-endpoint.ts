import type { TableMapping } from '@breakwater/sdk';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { AppError, ERROR_CODES, type ErrorCode } from '../../../platform/model/app-error.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { type Caller, callerEndpoint, type Endpoint, ownedOnly } from '../../../platform/server/endpoint.ts';
import type { JobQueue } from '../../../platform/server/jobs/define-job.ts';
import type { PlanLimits } from '../../../platform/server/limits.ts';
import type { ReportToolSource } from '../../../platform/server/report-tool-source.ts';
import { type UploadResult, uploadScan } from '../../api/routes.ts';
import { requestCommitStatus } from '../scans/commit-status-request.ts';
import { listScans, scanItem } from '../scans/list-scans.ts';
import { storeReport } from '../scans/report-store.ts';
import { ENDED, IMPORT_JOB, mappingText } from '../scans/scan-record.ts';
import { readMapping } from './column-mappings.ts';
import { refuseExcludedTool } from './excluded-tools.ts';
import { pickTableTool, pickTool } from './pick-tool.ts';
import { receiveUpload, requireBranch } from './receive-upload.ts';
import type { HeadReader } from './recognise-report.ts';
import { createSpool, type SpooledReport } from './spool.ts';

/**
 * The repository that an upload is for, when the caller may upload there. A developer may only where they are the owner.
 * Reads the primary key of repositories.
 */
export const findUploadTarget = async (
  db: Db,
  request: { clientId: string; repositoryId: string; onlyOwnedBy: string | null },
): Promise<{ id: string } | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select id from repositories
    where client_id = ${request.clientId} and id = ${request.repositoryId}
      and (${request.onlyOwnedBy}::uuid is null or owner = ${request.onlyOwnedBy})
  `.execute(db);
  return rows[0];
};

export interface UploadDependencies {
  database: DatabaseHandle;
  tools: ReportToolSource;
  /** Runs importers on the beginning of a report, apart from this thread. */
  heads: HeadReader;
  jobs: JobQueue;
  limits: PlanLimits;
  maxReportBytes: number;
}

/** A report that is to be imported. */
export interface EnqueuedImport {
  clientId: string;
  repositoryId: string;
  userId: string | null;
  report: SpooledReport;
  requestedTool: string;
  toolId: string;
  fileName: string | null;
  /** Null for the default branch. */
  branch?: string | null;
  /** Hash of the commit that was scanned, as the sender says. */
  commit?: string | undefined;
  /** What the report is about, as the sender says. */
  part?: string | undefined;
  /** To be imported although a newer report was. */
  acceptsOlder?: boolean;
  /** How its columns are read, where it is a table of no known tool. */
  mapping?: TableMapping | undefined;
  /** Set where the report holds records that this connector pulled. */
  connectorId?: string;
}

/** Keeps the report and enqueues its import, in one transaction. @returns the scan's id. */
export const enqueueImport = (
  { database, jobs, limits, tools }: UploadDependencies,
  request: EnqueuedImport,
): Promise<string> =>
  database.forClient(request.clientId, async (db) => {
    const { clientId, repositoryId } = request;
    await limits.check(db, { clientId, kind: 'uploads', adding: 1 });
    await refuseExcludedTool(db, (await tools.ofClient(db, clientId)).tools, request);
    const reportId = await storeReport(db, clientId, request.report);
    const scan = await db
      .insertInto('scans')
      .values({
        client_id: clientId,
        repository_id: repositoryId,
        report_id: reportId,
        requested_tool: request.requestedTool,
        tool: request.toolId,
        file_name: request.fileName,
        branch: request.branch ?? null,
        commit_hash: request.commit ?? null,
        part: request.part ?? null,
        accept_older: request.acceptsOlder ?? false,
        mapping: mappingText(request.mapping),
        connector_id: request.connectorId ?? null,
        created_by: request.userId,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await jobs.enqueue(db, IMPORT_JOB, { clientId, scanId: scan.id });
    if (request.commit !== undefined) await requestCommitStatus(db, jobs, { clientId, repositoryId });
    return scan.id;
  });

const POLL_MS = 100;
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
    if (ENDED.includes(attributes.status) || Date.now() >= deadline || signal.aborted) {
      const { status, tool, counts, unreadable, incomplete, is_held_back } = attributes;
      return { scan_id: scanId, status, tool, counts, unreadable, incomplete, is_held_back };
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
    const { database, tools: source, heads, maxReportBytes } = dependencies;
    await requireTarget(database, caller, params.id);
    const spool = await createSpool();
    let scanId: string;
    try {
      const upload = await receiveUpload(request, spool, maxReportBytes);
      const { report, fileName, commit, part, acceptsOlder } = upload;
      const branch = upload.branch ?? requireBranch(query.branch, ['query', 'branch']) ?? null;
      const { clientId } = caller;
      const { mapping, tools, added } = await database.forClient(clientId, async (db) => ({
        mapping: upload.mapping === undefined ? undefined : await readMapping(db, clientId, upload.mapping),
        ...(await source.ofClient(db, clientId)),
      }));
      const tool =
        mapping === undefined
          ? await pickTool(tools, (head) => heads.recognise({ ...head, added }), upload.tool, { ...report, fileName })
          : pickTableTool(tools, upload.tool);
      scanId = await enqueueImport(dependencies, {
        clientId,
        repositoryId: params.id,
        userId: caller.userId,
        report,
        requestedTool: upload.tool,
        toolId: tool.id,
        fileName: fileName ?? null,
        ...{ branch, commit, part, acceptsOlder, mapping },
      });
    } finally {
      await spool.dispose();
    }
    if (query.wait === undefined) return { success: true, data: { scan_id: scanId } };
    const data = await awaitScan(database, caller.clientId, scanId, query.wait * 1000, signal);
    if (data.status !== undefined && ENDED.includes(data.status)) reply.status(200);
    return { success: true, data };
  });
